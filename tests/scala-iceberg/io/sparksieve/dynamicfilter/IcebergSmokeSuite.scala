// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.TestedLine
import io.sparksieve.report.core.Reason

/**
 * Iceberg tables, with Iceberg's own extension. The scan is built anew with the keys, so that files
 * are skipped by any column. Keys of partition source columns are runtime filters too.
 */
class IcebergSmokeSuite extends IcebergTest {

  /** The mode of deletes and updates, and the version of the table format. */
  private val modes =
    Seq("copy-on-write" -> 2, "merge-on-read" -> 3, "merge-on-read" -> 2).take(if (full) 3 else 2)

  // Iceberg's builds for the other lines differ in Spark's interfaces, not in how they read files.
  private def full = TestedLine.is("4.1")

  private def create(name: String, partitions: String, mode: (String, Int)): Unit = {
    val (by, version) = mode
    val of = if (partitions.isEmpty) "" else s"PARTITIONED BY ($partitions)"
    sql(s"""CREATE TABLE $name (id BIGINT, k INT, s STRING, grp INT) USING iceberg $of
      TBLPROPERTIES ('format-version' = '$version', 'write.delete.mode' = '$by',
        'write.update.mode' = '$by', 'write.merge.mode' = '$by')""")
    bigRows.writeTo(name).append()
  }

  private def withIceberg(partitions: String, mode: (String, Int) = modes.head)(
      body: => Unit): Unit = withTable(T) {
    create(T, partitions, mode)
    body
  }

  private def joined(t: String = T) =
    s"SELECT t.id, t.s, small.dept FROM $t AS t JOIN small ON t.id = small.id WHERE small.dept = 7"

  private def firstVersion =
    sql(s"SELECT snapshot_id FROM $T.snapshots ORDER BY committed_at").head().getLong(0)

  private val Original = (700 to 790 by 10).map(id => Row(id.toLong, s"s$id", 7))

  /** The number of rows that the scans with keys read. */
  private def rowsRead(ran: Ran) = ran.scans.map(_.child.metrics("numOutputRows").value).sum

  /**
   * Asserts that a join returns `rows`, and that Sieve pushes the keys into the scan, which then
   * reads at most `mostRead` rows. If the join broadcasts, Spark itself prunes the scan.
   */
  private def assertPushed(query: String, rows: Seq[Row], mostRead: Int): Unit = {
    shuffled {
      val ran = assertFiltered(sql(query))
      assertRows(ran, rows)
      assert(ran.scans.forall(_.child.isInstanceOf[BatchScanExec]), ran.plan)
      assert(ran.metric("numRanges") == 10, ran.plan)
      assert(ran.scans.nonEmpty && rowsRead(ran) <= mostRead, s"${rowsRead(ran)}\n${ran.plan}")
    }
    assertLeft(Reason.PrunedBySpark)(sql(query))
    assertRows(run(sql(query)), rows)
  }

  override protected def change(t: String): Unit = {
    super.change(t)
    sql(s"DELETE FROM $t WHERE id IN (SELECT small.id FROM small WHERE s = 's790')")
  }

  override protected def Changed: Seq[Row] = super.Changed.filterNot(_.getLong(0) == 790)

  for (mode <- modes) {
    val kind = s"${mode._1}, format ${mode._2}"

    test(s"$kind: partitioned by ranges of the key") {
      withIceberg("truncate(2500, id)", mode) {
        assertPushed(joined(), Original, mostRead = 2500)
        change(T)
        assertPushed(joined(), Changed, mostRead = 2510)
        assertPushed(joined(s"$T VERSION AS OF $firstVersion"), Original, mostRead = 2500)
      }
    }

    test(s"$kind: not partitioned") {
      withIceberg("", mode) {
        assertRebuilt(joined(), Original, mostFiles = 1)
        change(T)
        assertRebuilt(joined(), Changed, mostFiles = 5)
        val version = firstVersion
        assertPlanned(joined(s"$T VERSION AS OF $version"), Original)
        sql(s"ALTER TABLE $T CREATE BRANCH old AS OF VERSION $version")
        sql(s"INSERT INTO $T.branch_old SELECT id + 20000, k, s, grp FROM big")
        assertPlanned(joined(s"$T.branch_old"), Original)
      }
    }

    test(s"$kind: MERGE, DELETE and UPDATE leave the table that they leave without Sieve") {
      for (partitions <- Seq("truncate(2500, id)", "").take(if (full) 2 else 1)) withClue(s"'$partitions'") {
        shuffled {
          val (plans, rows) = sameTable(create(_, partitions, mode), T -> "ice.db.u") { t =>
            change(t)
            sql(s"""MERGE INTO $t USING (SELECT id, s FROM small WHERE dept = 3) n
              ON $t.id = n.id WHEN MATCHED THEN UPDATE SET s = 'again'""")
            sql(s"""MERGE INTO $t USING (SELECT id, s FROM small WHERE dept = 4) n
              ON $t.id = n.id WHEN NOT MATCHED BY SOURCE AND id > 15000 THEN DELETE""")
            // Both halves of this UPDATE share one scan. Iceberg restricts the scan to the files to
            // be replaced, without a lock, while adaptive execution plans both halves concurrently.
            // Even without Sieve, 18 of 120 of these updates read files twice that they did not
            // replace.
            withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
              sql(s"UPDATE $t SET s = 'in' WHERE id IN (SELECT id FROM small WHERE dept = 5)")
            }
          }
          assert(plans.exists(_.contains("DynamicFilter")), plans.mkString("\n"))
          for (s <- Seq("again", "in")) assert(rows.count(_.getString(2) == s) == 10, s)
        }
      }
    }
  }

  test("partitioned by the key's column, by buckets of it, and by another") {
    withIceberg("grp") {
      val query = s"SELECT t.id FROM $T AS t JOIN small ON grp = dept WHERE small.s = 's700'"
      val rows = (7 until 20000 by 50).map(id => Row(id.toLong))
      shuffled {
        val ran = assertFiltered(sql(query))
        assertRows(ran, rows)
        assert(ran.metric("numRanges") == 1 && rowsRead(ran) == 400, ran.plan)
      }
      assertLeft(Reason.PrunedBySpark)(sql(query))
      // Each file has ids below and above the keys.
      eachJoin { _ =>
        val ran = assertFiltered(sql(joined()))
        assertRows(ran, Original)
        assert(ran.metric("filesSkipped") == 0, ran.plan)
      }
    }
    withIceberg("bucket(64, id)") {
      assertPushed(joined(), Original, mostRead = 10000)
    }
  }

  test("a partition column renamed, dropped from the partitioning, and added to it") {
    withIceberg("truncate(2500, id)") {
      sql(s"ALTER TABLE $T RENAME COLUMN id TO key")
      val query = joined().replace("t.id", "t.key")
      assertPushed(query, Original, mostRead = 2500)
      sql(s"ALTER TABLE $T REPLACE PARTITION FIELD id_trunc WITH bucket(4, key)")
      sql(s"INSERT INTO $T SELECT id + 20000, k, s, grp FROM big")
      assertPushed(query, Original, mostRead = 22500)
    }
  }

  test("a join of two tables that are partitioned alike, without a shuffle") {
    withTable("ice.db.small") {
      withIceberg("bucket(64, id)") {
        sql("""CREATE TABLE ice.db.small USING iceberg PARTITIONED BY (bucket(64, id))
          AS SELECT * FROM small""")
        withConf(
          "spark.sql.sources.v2.bucketing.enabled" -> "true",
          "spark.sql.sources.v2.bucketing.pushPartValues.enabled" -> "true",
          "spark.sql.iceberg.planning.preserve-data-grouping" -> "true",
          SQLConf.REQUIRE_ALL_CLUSTER_KEYS_FOR_CO_PARTITION.key -> "false"
        ) {
          shuffled {
            val query = joined().replace("JOIN small", "JOIN ice.db.small AS small")
            val ran = assertFiltered(sql(query))
            assertRows(ran, Original)
            assert(collect(ran.plan) { case e: ShuffleExchangeLike => e }.isEmpty, ran.plan)
            assert(ran.metric("numRanges") == 10 && rowsRead(ran) <= 10000, ran.plan)
          }
        }
      }
    }
  }
}
