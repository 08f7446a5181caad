// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import org.apache.spark.sql.DataFrame

import io.sparksieve.advice.layout.Layout
import io.sparksieve.IcebergSession

/** Advice about Iceberg tables, compared with what their procedure really writes. */
class IcebergAdviceSmokeSuite extends AdviceTest with IcebergSession {

  private def withIceberg(partitioned: String = "")(body: => Unit): Unit = withTable("ice.db.t") {
    sql(
      "CREATE TABLE ice.db.t (t BIGINT, k INT, u BIGINT, d INT, s STRING, x DOUBLE) " +
        s"USING iceberg $partitioned TBLPROPERTIES ('write.distribution-mode' = 'none')")
    val rows = events.selectExpr("t", "k", "CAST(u AS BIGINT) AS u", "d", "s", "x")
    (if (partitioned.isEmpty) rows else rows.sortWithinPartitions("d")).writeTo("ice.db.t").append()
    body
  }

  /** Runs each statement, asserts its prediction, and restores the table. */
  private def assertPredicted(query: DataFrame => DataFrame): TableAdvice = {
    def table = spark.table("ice.db.t")
    val advice = adviceOf(query(table))
    assert(advice.layouts.nonEmpty, advice)
    val before = sql("SELECT snapshot_id FROM ice.db.t.snapshots").head().getLong(0)
    advice.layouts.foreach { layout =>
      sql(layout.statement.text)
      spark.catalog.refreshTable("ice.db.t")
      val real = adviceOf(query(table)).today.get
      assert(
        math.abs(real.bytes - layout.read.bytes) <= 0.1,
        s"${layout.layout.text}: predicted ${layout.read}, really $real")
      sql(s"CALL ice.system.rollback_to_snapshot('db.t', $before)")
      spark.catalog.refreshTable("ice.db.t")
    }
    advice
  }

  test("sorted, and on a curve") {
    withIceberg() {
      val one = assertPredicted(_.where("k BETWEEN 100 AND 300"))
      assert(one.format == "iceberg" && one.outcome == TableAdvice.Outcome.Rewrite)
      assert(one.layouts.head.layout == Layout(Layout.Kind.Sort, Seq("k"), 8))
      assert(one.layouts.head.statement.text.startsWith("CALL ice.system.rewrite_data_files("))
      assertPredicted(_.where("k < 3000 AND u BETWEEN 1000 AND 200000 AND s > 's02'"))
    }
  }

  test("partitions stay") {
    withIceberg("PARTITIONED BY (d)") {
      val advice = assertPredicted(_.where("d IN (2, 3) AND k < 3000"))
      assert(advice.partitionColumns == Seq("d"))
      // A predicate on partitions alone, which the table answers itself.
      assert(math.abs(advice.today.get.bytes - 0.1) < 0.02)
    }
  }

  test("partitions by a function of a column") {
    withIceberg("PARTITIONED BY (bucket(4, k))") {
      val advice = adviceOf(spark.table("ice.db.t").where("u < 5"))
      assert(advice.outcome == TableAdvice.Outcome.Declined && advice.reason.contains("k_bucket"))
    }
  }
}
