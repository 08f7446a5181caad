// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

/** Cached batches are skipped by bounds that leave out NaN, also where the source itself is exact. */
class LossyCacheSuite extends LossyPushdownTest {

  /** Runs `body` with a view `v` of these rows that is cached, two to a batch. */
  private def withCached(rows: DataFrame)(body: => Unit): Unit = withTempView("v") {
    rows.createOrReplaceTempView("v")
    withConf("spark.sql.inMemoryColumnarStorage.batchSize" -> "2") {
      sql("CACHE TABLE v")
      try body
      finally spark.catalog.clearCache()
    }
  }

  private val texts =
    Seq("NaN", "NaN", "0.0", "-0.0", null, "1.0", "NaN", "5.0", "NaN", "6.0", "0.0").zipWithIndex

  test("cached: NaN and zeros of an RDD") {
    val rows = texts.map { case (x, k) => Row(if (x == null) null else x.toDouble, k) }
    withCached(
      spark.createDataFrame(
        spark.sparkContext.parallelize(rows, 1),
        StructType.fromDDL("x DOUBLE, k INT")))(checked(doubles))
  }

  test("cached: NaN and zeros of strings") {
    import testImplicits._
    withConf(SQLConf.ANSI_ENABLED.key -> "false") {
      withCached(texts.toDF("s", "k").selectExpr("CAST(s AS DOUBLE) AS x", "k"))(checked(doubles))
    }
  }
}
