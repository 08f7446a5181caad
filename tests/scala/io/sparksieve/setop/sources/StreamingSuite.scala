// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File
import java.util.concurrent.ConcurrentLinkedQueue

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.Trigger

import io.sparksieve.report.core.Reason

/** Operations on streams are declined; operations on static data in streaming queries are not. */
class StreamingSuite extends SourcesTest {

  private def withStream(body: (DataFrame, String) => Unit): Unit = withTempDir { dir =>
    val path = new File(dir, "data").getCanonicalPath
    flights.coalesce(1).write.parquet(path)
    body(spark.readStream.schema(flights.schema).parquet(path), path)
  }

  /** Runs the streaming query to its end, and returns its rows. */
  private def result(df: DataFrame): Seq[Row] = {
    val query = df.writeStream
      .format("memory")
      .queryName("sink")
      .trigger(Trigger.AvailableNow())
      .start()
    try {
      query.processAllAvailable()
      query.awaitTermination()
      spark.table("sink").collect().toSeq
    } finally {
      query.stop()
      spark.catalog.dropTempView("sink")
    }
  }

  /** The verdicts on a streaming plan, which Spark would refuse to plan as a batch. */
  private def reasons(df: DataFrame): Seq[Option[Reason]] = {
    // In Spark 3.5, withSQLConf returns no value.
    var found: Seq[Option[Reason]] = Nil
    withSQLConf(SQLConf.UNSUPPORTED_OPERATION_CHECK_ENABLED.key -> "false") {
      found = planned(df)._2.map(_.reason)
    }
    found
  }

  test("one stream filtered twice and united stays two") {
    withStream { (stream, path) =>
      val both = stream.where("month < 4").union(stream.where("month >= 10"))
      assert(reasons(both).forall(_.nonEmpty))
      val file = spark.read.parquet(path)
      checkRows(result(both), file.where("month < 4 OR month >= 10"))
    }
  }

  test(
    "a stream against static data: anti- and semi-joins, with a rewrite inside the static side") {
    withStream { (stream, path) =>
      val file = spark.read.parquet(path)
      val some = file.where("month < 6").except(file.where("month = 3")).select("month").distinct()
      assert(reasons(some).contains(None))
      assert(reasons(stream.join(some, Seq("month"), "left_semi")).contains(None))
      checkRows(
        result(stream.join(some, Seq("month"), "left_semi")),
        file.where("month IN (1, 2, 4, 5)"))
      checkRows(
        result(stream.join(some, Seq("month"), "left_anti")),
        file.where("month NOT IN (1, 2, 4, 5)"))
      val anti = stream.join(file.where("month = 3"), Seq("month"), "left_anti")
      assert(reasons(anti).forall(_.nonEmpty))
      checkRows(result(anti), file.where("month <> 3"))
    }
  }

  test("operations inside foreachBatch") {
    withStream { (stream, path) =>
      val seen = new ConcurrentLinkedQueue[Row]
      val query = stream.writeStream
        .trigger(Trigger.AvailableNow())
        .foreachBatch { (batch: DataFrame, _: Long) =>
          batch
            .exceptAll(batch.where("month < 12"))
            .union(
              spark.read
                .parquet(path)
                .where("month = 1")
                .intersect(spark.read.parquet(path).where("day = 1")))
            .collect()
            .foreach(seen.add)
        }
        .start()
      query.awaitTermination()
      val file = spark.read.parquet(path)
      checkRows(
        seen.toArray(Array.empty[Row]).toSeq,
        file.where("month = 12").union(file.where("month = 1 AND day = 1").distinct()))
    }
  }

  private def checkRows(rows: Seq[Row], expected: DataFrame): Unit =
    checkAnswer(
      spark.createDataFrame(spark.sparkContext.parallelize(rows), flights.schema),
      expected)
}
