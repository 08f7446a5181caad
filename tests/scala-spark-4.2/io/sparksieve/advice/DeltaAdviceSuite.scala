// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import org.apache.spark.sql.DataFrame

import io.sparksieve.DeltaSession
import io.sparksieve.advice.table.AdvisedDelta

/** Advice about Delta tables, compared with what their OPTIMIZE really writes. */
class DeltaAdviceSuite extends AdviceTest with DeltaSession {

  private def withDelta(by: String*)(body: => Unit): Unit = withTable("d") {
    events.write.format("delta").partitionBy(by: _*).saveAsTable("d")
    body
  }

  /** Runs each statement, asserts its prediction, and restores the table. */
  private def assertPredicted(most: Int)(query: DataFrame => DataFrame): TableAdvice = {
    val advice = adviceOf(query(spark.table("d")))
    assert(advice.layouts.nonEmpty, advice)
    advice.layouts.take(most).foreach { layout =>
      val maxFileSize = AdvisedDelta.MaxFileSize
      withSQLConf(maxFileSize -> spark.conf.get(maxFileSize, (1L << 30).toString)) {
        layout.statement.text.split(";\n").foreach(sql(_))
        val real = adviceOf(query(spark.table("d"))).today.get
        // Tables of a few files are read in steps of a file.
        assert(
          math.abs(real.bytes - layout.read.bytes) <= 1.0 / 8 + 0.01,
          s"${layout.layout.text}: predicted ${layout.read}, really $real")
      }
      sql("RESTORE TABLE d TO VERSION AS OF 0")
    }
    advice
  }

  test("one column, and two on a curve") {
    withDelta() {
      val one = assertPredicted(1)(_.where("k BETWEEN 100 AND 300"))
      assert(one.format == "delta" && one.outcome == TableAdvice.Outcome.Rewrite)
      assert(one.layouts.head.statement.text.contains("OPTIMIZE spark_catalog.default.d ZORDER BY"))
      assert(one.layouts.head.layout.shrink == 8)
      val two = assertPredicted(3)(_.where("k < 2400 AND u < 240000"))
      // In eight files, the curve through both columns reads no less than either alone.
      assert(two.layouts.take(3).map(_.layout.columns.toSet).contains(Set("k", "u")))
    }
  }

  test("partitions stay") {
    withDelta("d") {
      val advice = assertPredicted(2)(_.where("d IN (2, 3) AND k < 3000"))
      assert(advice.partitionColumns == Seq("d"))
      assert(advice.layouts.forall(!_.layout.columns.contains("d")))
    }
  }

  test("tables that Delta arranges, and columns that it renames") {
    withTable("d") {
      sql("CREATE TABLE d (a INT, b INT) USING delta CLUSTER BY (a)")
      sql("INSERT INTO d SELECT id, id FROM range(10)")
      assert(adviceOf(sql("SELECT * FROM d WHERE b = 1")).reason.contains("clustering"))
    }
    withDelta() {
      sql("ALTER TABLE d SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
      assert(adviceOf(sql("SELECT * FROM d WHERE k = 1")).reason.contains("maps the names"))
    }
  }
}
