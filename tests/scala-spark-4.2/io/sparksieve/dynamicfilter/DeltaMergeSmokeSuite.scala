// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import io.sparksieve.DeltaSession
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/** MERGE of Delta tables finds the files to rewrite by reading them alone. */
class DeltaMergeSmokeSuite extends RowLevelTest with DeltaSession {

  private def create(vectors: Boolean)(name: String): Unit =
    bigRows.write
      .format("delta")
      .option("delta.enableDeletionVectors", vectors.toString)
      .saveAsTable(name)

  private val both = s"$Matched $NotMatched"

  private val Numbers = Seq(
    "numSourceRows",
    "numTargetRowsUpdated",
    "numTargetRowsInserted",
    "numTargetFilesRemoved",
    "numTargetRowsCopied")

  /**
   * Merges into two new tables, with Sieve and without: the same rows, and the same [[Numbers]] in
   * the history, which are returned too.
   */
  private def mergedAlike(clauses: String, source: String = "few"): (Pruned, Seq[String]) = {
    def history(t: String) = {
      val last = sql(s"DESCRIBE HISTORY $t LIMIT 1").select("operationMetrics").head()
      Numbers.map(last.getMap[String, String](0)(_))
    }
    var found = Vector.empty[(Pruned, Seq[String])]
    sameTable(create(vectors = false), "d" -> "e") { t =>
      val run = pruned { sql(merge(t, clauses, source)); () }
      found :+= run -> history(t)
    }
    assert(found.map(_._2).distinct.size == 1)
    found.head
  }

  test("MERGE, and the numbers in the table's history") {
    joined(broadcast = true) {
      val (found, numbers) = mergedAlike(both)
      assertOneFile(found)
      assert(numbers.take(4) == Seq("20", "10", "10", "1"))
    }
  }

  private val filtered = "(SELECT * FROM few WHERE s <> 'n3')"

  /** Delta does not store the rows of the source of a MERGE that only inserts. */
  private val byPartition = "(SELECT id, concat(s, spark_partition_id()) AS s FROM few)"

  test("a MERGE that only inserts: a source that is filtered, computed, a Delta table") {
    withTable("src") {
      spark.table("few").write.format("delta").saveAsTable("src")
      val some = "WHEN NOT MATCHED AND n.id % 2 = 0 THEN INSERT (id, s) VALUES (n.id, n.s) " +
        "WHEN NOT MATCHED AND n.id > 90005 THEN INSERT (id) VALUES (n.id)"
      joined(broadcast = false) {
        assertOneFile(mergedAlike(some)._1)
        val sources = Seq("few", filtered, "(SELECT id, max(s) AS s FROM few GROUP BY id)", "src")
        sources.foreach(source => assertOneFile(mergedAlike(NotMatched, source)._1))
      }
    }
  }

  test("deletion vectors, a condition of a clause, and a source that is a Delta table") {
    withTable("src") {
      spark.table("few").write.format("delta").saveAsTable("src")
      joined(broadcast = true) {
        val clause = "WHEN MATCHED AND n.id % 2 = t.id % 2 AND t.k > 0 THEN DELETE"
        val found = changedAlike(create(vectors = true), "d" -> "e")(merge(_, clause, "src"))
        // A later phase reads the touched file once more.
        assert(found.before == 9 && found.read == 2, found)
      }
    }
  }

  test("what is declined: unmatched rows of the target, shuffles, a large source, the switch") {
    withTable("d") {
      create(vectors = false)("d")
      val gone = s"$both WHEN NOT MATCHED BY SOURCE AND t.id > 15000 THEN DELETE"
      def whole(clauses: String, broadcast: Boolean, reason: Reason, source: String = "few") =
        joined(broadcast)(assertWhole(pruned { sql(merge("d", clauses, source)); () }, reason))
      whole(gone, broadcast = true, Reason.NonDeterministic)
      whole(both, broadcast = false, Reason.NonDeterministic)
      whole(NotMatched, broadcast = false, Reason.NonDeterministic, byPartition)
      withConf(SieveConf.DYNAMIC_FILTER_MIN_TARGET_RATIO.key -> "1000000") {
        whole(NotMatched, broadcast = false, Reason.NotSelective)
        whole(NotMatched, broadcast = false, Reason.NotSelective, filtered)
      }
      withConf(SieveConf.DYNAMIC_FILTER_ROW_LEVEL.key -> "false") {
        whole(NotMatched, broadcast = false, Reason.NonDeterministic)
      }
    }
  }

  test("a row with two partners is an error") {
    withTable("d") {
      create(vectors = false)("d")
      joined(broadcast = true) {
        assertFails("DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW")(merge("d", Matched, Twice))
      }
    }
  }
}
