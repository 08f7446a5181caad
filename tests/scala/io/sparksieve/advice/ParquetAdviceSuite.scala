// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import org.apache.spark.sql.DataFrame

import io.sparksieve.advice.layout.Layout

/** Advice about Parquet files, compared with what is really written. */
class ParquetAdviceSuite extends AdviceTest {

  private val tolerance = 0.1

  /** Asserts every prediction of the advice against the rewritten table. */
  private def assertPredicted(path: String, by: Seq[String] = Nil)(
      query: DataFrame => DataFrame): TableAdvice = {
    val advice = adviceOf(query(spark.read.parquet(path)))
    assert(advice.layouts.nonEmpty, advice)
    advice.layouts.foreach { layout =>
      val real = rewritten(path, layout, by)(query)
      assert(
        math.abs(real.bytes - layout.read.bytes) <= tolerance,
        s"${layout.layout.text}: predicted ${layout.read}, really $real")
      assert(math.abs(real.rowGroups - layout.read.rowGroups) <= tolerance, layout.layout.text)
      assert(math.abs(real.files - layout.read.files) <= tolerance, layout.layout.text)
    }
    advice
  }

  test("a range of one column") {
    withParquet(events) { path =>
      val advice = assertPredicted(path)(_.where("k BETWEEN 100 AND 300"))
      assert(advice.outcome == TableAdvice.Outcome.Rewrite)
      assert(advice.today.get.bytes == 1.0)
      assert(advice.layouts.head.layout == Layout(Layout.Kind.Sort, Seq("k")))
      assert(advice.layouts.head.gain > 0.7)
      assert(advice.queries.head.predicates == Seq("k >= 100", "k <= 300"))
    }
  }

  test("two columns, a list, a text and a floating-point number") {
    withParquet(events) { path =>
      assertPredicted(path)(_.where("d = 3 AND k IN (5, 900, 7000)"))
      assertPredicted(path)(_.where("s LIKE 's012%'"))
      assertPredicted(path)(_.where("x > 140.5 OR x < 1"))
    }
  }

  test("directories stay, and a function of a column needs directories") {
    withParquet(events.where("d < 4"), "d") { path =>
      val advice = assertPredicted(path, Seq("d"))(_.where("d % 2 = 1 AND k < 5000"))
      assert(advice.today.get.files == 0.5)
      assert(advice.layouts.forall(!_.layout.columns.contains("d")))
    }
  }

  test("a good layout") {
    withParquet(events) { path =>
      val advice = adviceOf(spark.read.parquet(path).where("t < 1000"))
      assert(advice.outcome == TableAdvice.Outcome.Good, advice)
      assert(advice.today.get.files == 0.125)
    }
  }

  test("smaller row groups") {
    val wide = (1 to 4).map(i => s"sha2(CAST(id AS STRING), 256) || $i AS w$i")
    val rows = events.withColumnRenamed("t", "id").selectExpr("*" +: wide: _*).coalesce(1)
    withParquet(rows) { path =>
      val advice = assertPredicted(path)(_.where("k = 77"))
      assert(advice.layouts.exists(_.layout.shrink > 1), advice.layouts.map(_.layout.text))
    }
  }

  test("no advice") {
    withParquet(events) { path =>
      val files = spark.read.parquet(path)
      def reason(query: DataFrame) = {
        val advice = adviceOf(query)
        assert(advice.outcome == TableAdvice.Outcome.Declined, s"$advice ${query.queryExecution}")
        advice.reason
      }
      assert(reason(files).contains("No query has a predicate"))
      assert(reason(files.where("t + k > 5")).contains("No query has a predicate"))
      assert(reason(files.where("k = 1 OR rand() > 0.5")).contains("No query has a predicate"))
      val orc = path + "-orc"
      files.write.orc(orc)
      assert(reason(spark.read.orc(orc).where("k = 1")).contains("Parquet files only"))
      withTable("bucketed") {
        files.write.bucketBy(4, "k").saveAsTable("bucketed")
        assert(reason(spark.table("bucketed").where("u = 1")).contains("bucketed"))
      }
    }
  }
}
