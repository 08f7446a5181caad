// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.Row
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.DeltaSession
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/**
 * Delta tables, with Delta's own extension: files are skipped, no row is lost, and no deleted row
 * comes back.
 */
class DeltaSmokeSuite extends LakeTest with DeltaSession {

  private def create(name: String, options: (String, String)*): Unit =
    bigRows.write.format("delta").options(options.toMap).saveAsTable(name)

  /** Runs `body` with the table `d` of eight files clustered by `id`. */
  private def withDelta(options: (String, String)*)(body: => Unit): Unit = withTable("d") {
    create("d", options: _*)
    body
  }

  private val DeletionVectors = "delta.enableDeletionVectors" -> "true"

  private val Columns = "d.id, d.s, small.dept"

  private def joined(columns: String = Columns, on: String = "d.id = small.id", d: String = "d") =
    s"SELECT $columns FROM $d JOIN small ON $on WHERE small.dept = 7"

  /** The rows of the join with the table as created. */
  private val Original = (700 to 790 by 10).map(id => Row(id.toLong, s"s$id", 7))

  /**
   * Asserts that both kinds of join return `rows` and skip files.
   *
   * @param byLog
   *   whether Delta's log has statistics; without them files are skipped by their footers only
   */
  private def assertSkips(query: String, rows: Seq[Row], byLog: Boolean = true): Unit =
    eachJoin { _ =>
      val ran = assertFilteredTo(rows)(sql(query))
      val metrics = ran.scans.map(_.metrics.map { case (name, m) => s"$name=${m.value}" })
      val (before, skipped) = (ran.metric("filesBefore"), ran.metric("filesSkipped"))
      assert(skipped > 0, s"$metrics\n${ran.plan}")
      val read = ran.scans.map(_.child.metrics("numFiles").value).sum
      assert(read == before - skipped, metrics)
      // If the log has statistics, only the footers of the remaining files are read.
      assert(ran.metric("footersRead") == (if (byLog) read else before), metrics)
    }

  for (byLog <- Seq(true, false)) {
    val how = if (byLog) "the log, files rewritten" else "footers, deletion vectors"

    test(s"files are skipped by $how: before and after UPDATE, DELETE and MERGE") {
      val options = Seq(DeletionVectors, "delta.dataSkippingNumIndexedCols" -> "0")
      withDelta((if (byLog) Nil else options): _*) {
        assertSkips(joined(), Original, byLog)
        change("d")
        assertSkips(joined(), Changed, byLog)
        assertSkips(joined(d = "d VERSION AS OF 0 AS d"), Original, byLog)
      }
    }
  }

  test("deletion vectors: deleted rows stay deleted, and rows keep their numbers") {
    withDelta(DeletionVectors) {
      val columns = s"$Columns, d._metadata.row_index, d._metadata.file_name"
      val numbered = withoutSieve(sql(joined(columns)).collect().toSeq)
      sql("DELETE FROM d WHERE id = 720 OR id BETWEEN 745 AND 755 OR id % 2 = 1")
      val vectors = sql("DESCRIBE HISTORY d LIMIT 1").select("operationMetrics").head()
      assert(vectors.getMap[String, String](0)("numDeletionVectorsAdded").toInt == 8)
      val left = numbered.filterNot(r => Set(720L, 750L)(r.getLong(0)))
      assert(left.length == 8)
      assertSkips(joined(columns), left)
      for (index <- Seq("true", "false")) {
        withConf("spark.databricks.delta.deletionVectors.useMetadataRowIndex" -> index) {
          assertSkips(joined(), left.map(r => Row(r.getLong(0), r.getString(1), r.getInt(2))))
        }
      }
    }
  }

  for (mode <- Seq("name", "id")) {
    test(s"column mapping by $mode: renamed and dropped columns") {
      withDelta("delta.columnMapping.mode" -> mode) {
        eachJoin(_ => assertFilteredTo(Original)(sql(joined())))
        sql("ALTER TABLE d RENAME COLUMN id TO key")
        sql("ALTER TABLE d DROP COLUMN s")
        sql("ALTER TABLE d ADD COLUMN s STRING")
        val query = joined("d.key, d.s, small.dept", "d.key = small.id")
        eachJoin { _ =>
          val ran = assertFilteredTo(Original.map(r => Row(r.getLong(0), null, 7)))(sql(query))
          // The keys are pushed into the reader under the column names of the files.
          assert(ran.rowsIn < 20000 && ran.metric("numRanges") > 0, ran.plan)
        }
      }
    }
  }

  test("column mapping: a column under the name that another has in the files") {
    withDelta() {
      sql("ALTER TABLE d SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
      sql("ALTER TABLE d RENAME COLUMN id TO old")
      sql("ALTER TABLE d RENAME COLUMN k TO id")
      sql("ALTER TABLE d RENAME COLUMN old TO k")
      val rows = for (r <- Original; k <- 0 to 9) yield {
        val id = r.getLong(0)
        Row(id * 10 + k, id.toInt, s"s${id * 10 + k}")
      }
      val query = joined("d.k, d.id, d.s", "d.id = small.id")
      eachJoin(_ => assertFilteredTo(rows)(sql(query)))
      sql("DELETE FROM d WHERE id = 720")
      eachJoin(_ => assertFilteredTo(rows.filter(_.getInt(1) != 720))(sql(query)))
    }
  }

  test("partitioned: directories are skipped by keys of the partition column") {
    withTable("d") {
      bigRows
        .unionByName(bigRows.where("id < 9").drop("grp").selectExpr("*", "cast(NULL AS INT) grp"))
        .coalesce(1)
        .write
        .format("delta")
        .partitionBy("grp")
        .options(Map(DeletionVectors, "delta.columnMapping.mode" -> "name"))
        .saveAsTable("d")
      sql("DELETE FROM d WHERE id < 1000")
      sql("ALTER TABLE d RENAME COLUMN grp TO part")
      val query = "SELECT d.id, part FROM d JOIN small ON part = dept WHERE small.s = 's700'"
      val rows = (1007 until 20000 by 50).map(id => Row(id.toLong, 7))
      shuffled {
        val ran = assertFilteredTo(rows)(sql(query))
        assert(ran.metric("filesSkipped") >= 49, ran.plan)
        assert(ran.rowsIn == rows.length, ran.plan)
      }
      // Spark's own dynamic partition pruning filters the partitions.
      assertLeft(Reason.PrunedBySpark)(sql(query))
    }
  }

  test("liquid clustering") {
    withTable("d") {
      sql("CREATE TABLE d (id BIGINT, k INT, s STRING, grp INT) USING delta CLUSTER BY (id)")
      bigRows.write.format("delta").mode("append").saveAsTable("d")
      sql("INSERT INTO d SELECT id + 20000, k, s, grp FROM big")
      assertSkips(joined(), Original)
      sql("OPTIMIZE d")
      sql("INSERT INTO d SELECT id + 40000, k, s, grp FROM big")
      assertSkips(joined(), Original)
    }
  }

  test("MERGE leaves the table that it leaves without Sieve") {
    for ((options, (kind, threshold)) <- Seq(Nil, Seq(DeletionVectors)).zip(joins))
      withClue(s"$kind, $options") {
        withConf(
          SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
          SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1") {
          val (plans, rows) = sameTable(create(_, options: _*), "d" -> "e") { t =>
            sql(s"""MERGE INTO $t USING (SELECT id * 2 AS id, s FROM small WHERE dept < 70) n
            ON $t.id = n.id
            WHEN MATCHED AND n.id < 1000 THEN DELETE
            WHEN MATCHED THEN UPDATE SET s = 'merged'
            WHEN NOT MATCHED THEN INSERT (id, s) VALUES (n.id, n.s)""")
            sql(s"""MERGE INTO $t USING (SELECT big.id, 'joined' AS s FROM big
              JOIN small ON big.id = small.id WHERE small.dept = 77) n
            ON $t.id = n.id
            WHEN MATCHED THEN UPDATE SET s = n.s
            WHEN NOT MATCHED BY SOURCE AND $t.id % 3 = 0 THEN DELETE""")
          }
          assert(plans.exists(_.contains("DynamicFilter")), plans.mkString("\n"))
          assert(rows.count(_.getString(2) == "joined") == 10)
        }
      }
  }
}
