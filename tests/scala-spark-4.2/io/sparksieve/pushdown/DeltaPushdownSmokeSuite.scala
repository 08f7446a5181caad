// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import io.sparksieve.DeltaSession
import io.sparksieve.report.core.NotPushedReason

/** Delta tables: the log skips files and partitions, the reader skips row groups. */
class DeltaPushdownSmokeSuite extends PushdownTest with DeltaSession {

  private def withDelta(body: => Unit): Unit = withTable("d") {
    columns.write.format("delta").partitionBy("p").saveAsTable("d")
    body
  }

  test("partitions, files by the log, row groups") {
    withDelta {
      assertSaid(sql("SELECT * FROM d WHERE p = 1 AND a > 1 AND upper(s) = 'X'"))(
        "p = 1L: skipped",
        "a > 1: skipped, pushed, spark",
        "s IS NOT NULL: skipped, pushed, spark",
        "upper(s) = 'X': spark computed")
      val t = "ts > TIMESTAMP '2020-01-01 00:00:00'"
      assertSaid(sql(s"SELECT * FROM d WHERE $t"))(s"$t: skipped, pushed, spark")
      assertLeft(NotPushedReason.OrAcrossColumns)(
        sql("SELECT * FROM d WHERE p = 1 OR rand() > 2 OR a = 2"))
      val scan = explained(sql("SELECT * FROM d WHERE a > 1")).head
      assert((scan.source, scan.place) == (("delta", "spark_catalog.default.d")))
    }
  }

  test("columns that are renamed, and rows that are marked as deleted") {
    withDelta {
      sql(
        "ALTER TABLE d SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name', " +
          "'delta.enableDeletionVectors' = 'true')")
      sql("ALTER TABLE d RENAME COLUMN a TO renamed")
      sql("DELETE FROM d WHERE renamed = 7")
      assertSaid(sql("SELECT * FROM d WHERE renamed > 1"))("renamed > 1: skipped, pushed, spark")
      withSQLConf("spark.databricks.delta.deletionVectors.useMetadataRowIndex" -> "false") {
        val said = lines(sql("SELECT * FROM d WHERE renamed > 1"))
        assert(said == Seq("renamed > 1: skipped, spark"), said)
      }
    }
  }
}
