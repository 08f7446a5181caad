// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import io.sparksieve.DeltaSession
import io.sparksieve.report.core.Reason

/** Delta tables, with Delta's own extension. */
class DeltaSmokeSuite extends SourcesTest with DeltaSession {

  private val Except = "ReplaceExceptWithNotFilter"

  override def beforeAll(): Unit = {
    super.beforeAll()
    flights.createOrReplaceTempView("rows")
  }

  /** A table of four versions: created, deleted from (deletion vectors), updated, appended to. */
  private def withDelta(body: => Unit): Unit = withTable("d") {
    sql(
      "CREATE TABLE d USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = 'true') AS SELECT * FROM rows")
    sql("DELETE FROM d WHERE day = 2 AND month > 2")
    sql("UPDATE d SET delay = 9 WHERE month = 4")
    sql("INSERT INTO d VALUES (3, 9, 9), (4, 9, 9)")
    body
  }

  test("every rewrite on a table with deletion vectors") {
    withDelta {
      assert(spark.table("d").where("day = 2 AND month > 2").count() == 0)
      assertEveryRewrite(spark.table("d"), spark.table("d"))
      assertOneScan("ReplaceSetOpWithCounts") {
        sql("SELECT month FROM d WHERE day > 1 EXCEPT SELECT month FROM d WHERE delay = 9")
      }
    }
  }

  test("by path, by DataFrame reader, through a view") {
    withDelta {
      val path = sql("DESCRIBE DETAIL d").select("location").head().getString(0)
      def read = spark.read.format("delta").load(path)
      assertOneScan(Except)(read.except(read.where("month = 3")))
      assertOneScan(Except)(
        sql(s"SELECT * FROM delta.`$path` EXCEPT ALL SELECT * FROM delta.`$path` WHERE month = 3"))
      withView("v") {
        sql("CREATE VIEW v AS SELECT * FROM d WHERE day < 4")
        assertOneScan(Except)(sql("SELECT * FROM v EXCEPT ALL SELECT * FROM d WHERE month = 3"))
      }
    }
  }

  test("time travel: one version is one source, two are not") {
    withDelta {
      def travel(left: String, right: String) =
        sql(s"SELECT * FROM d $left EXCEPT ALL SELECT * FROM d $right WHERE month = 4")
      assertOneScan(Except)(travel("VERSION AS OF 1", "VERSION AS OF 1"))
      for ((left, right) <- Seq(
          "VERSION AS OF 0" -> "VERSION AS OF 2",
          "" -> "VERSION AS OF 1",
          "VERSION AS OF 2" -> "")) {
        assertDeclined(Except, Reason.DifferentSnapshot)(travel(left, right))
      }
      // All rows of month 4 in version 0, except those that the update did not change.
      assert(travel("VERSION AS OF 0", "VERSION AS OF 2").where("month = 4").count() == 10)
    }
  }

  test("a commit between two loads: both read the newest version") {
    withDelta {
      val before = spark.table("d")
      sql("INSERT INTO d VALUES (1, 77, 7), (2, 77, 7)")
      def query = spark.table("d").exceptAll(before.where("month = 1"))
      assertOneScan(Except)(query)
      checkAnswer(query.where("day = 77"), org.apache.spark.sql.Row(2, 77, 7))
    }
  }

  test("a partitioned table keeps its pruning") {
    withTable("p") {
      sql("CREATE TABLE p USING delta PARTITIONED BY (month) AS SELECT * FROM rows")
      assertOneScan(Except)(
        sql("SELECT * FROM p WHERE month < 6 EXCEPT ALL SELECT * FROM p WHERE month = 3"))
      val scans =
        fileScans(sql("SELECT * FROM p WHERE month < 6 EXCEPT ALL SELECT * FROM p WHERE month = 3"))
      assert(scans.length == 1 && scans.head.partitionFilters.nonEmpty, scans)
    }
  }

  test("MERGE whose source is an operation") {
    withDelta {
      sql("""MERGE INTO d USING (SELECT month FROM d EXCEPT SELECT month FROM d WHERE month < 12) s
        ON d.month = s.month WHEN MATCHED THEN DELETE""")
      assert(spark.table("d").where("month = 12").isEmpty)
    }
  }
}
