// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.Reason

/**
 * Row ids and seeded random numbers of rows that were shuffled: with adaptive execution, they change
 * with the sizes of other shuffles that the same stage reads.
 */
class SeesPartitionsSuite extends DynamicFilterTest {

  // Partitions small enough that a filter before one shuffle changes how many are merged.
  private val merging = Seq(
    SQLConf.SHUFFLE_PARTITIONS.key -> "16",
    SQLConf.ADVISORY_PARTITION_SIZE_IN_BYTES.key -> "50KB",
    SQLConf.COALESCE_PARTITIONS_PARALLELISM_FIRST.key -> "false",
    SQLConf.COALESCE_PARTITIONS_MIN_PARTITION_SIZE.key -> "1KB"
  )

  /** Joins of a filtered table and of a side that has `id` from another join. */
  private def beside(id: String) = s"""SELECT r.id, r.rid, t.grp
    FROM big t JOIN small s ON t.id = s.id
    JOIN (SELECT b.id, $id AS rid FROM big b JOIN big c ON b.id = c.id) r ON t.id = r.id
    WHERE s.dept = 7"""

  /** A join with a side that has `id` above a join with a filtered table. */
  private def between(id: String) = s"""SELECT q.id, q.rid, a.grp
    FROM (SELECT b.id, $id AS rid FROM big b JOIN small s ON b.id = s.id WHERE s.dept < 50) q
    JOIN big a ON q.id = a.id"""

  private val ids = Seq("monotonically_increasing_id()", "rand(1)", "spark_partition_id()")

  for ((name, query) <- Seq("beside the join" -> beside _, "below the join" -> between _))
    test(s"partitions are seen $name") {
      shuffled {
        withConf(merging: _*) {
          ids.foreach(id => assertLeft(Reason.NonDeterministic)(sql(query(id))))
        }
      }
    }

  test("above the join the rows that it drops are seen without adaptive execution, too") {
    withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      ids.foreach { id =>
        assertLeft(Reason.NonDeterministic)(
          sql(s"SELECT b.id, $id AS rid FROM big b JOIN small s ON b.id = s.id WHERE s.dept = 7"))
      }
    }
  }

  test("without adaptive execution partitions stay, and so do those of scans") {
    shuffled {
      withConf(merging: _*) {
        withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
          ids.foreach(id => assertFiltered(sql(beside(id))))
        }
        ids.foreach { id =>
          assertFiltered(sql(s"""SELECT r.id, r.rid FROM big t JOIN small s ON t.id = s.id
            JOIN (SELECT id, $id AS rid FROM big) r ON t.id = r.id WHERE s.dept = 7"""))
        }
      }
    }
  }
}
