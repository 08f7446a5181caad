// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.{ByteArrayOutputStream, File}
import java.util.concurrent.ConcurrentLinkedQueue

import scala.util.Try

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.broadcast
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.Trigger

import io.sparksieve.report.core.Reason

/**
 * Operations on streams are declined. Operations on static data in streaming queries are not, unless
 * a function gets the batches.
 */
class StreamingSuite extends SourcesTest {

  private def withStream(body: (DataFrame, String) => Unit): Unit = withTempDir { dir =>
    val path = new File(dir, "data").getCanonicalPath
    flights.coalesce(1).write.parquet(path)
    body(spark.readStream.schema(flights.schema).parquet(path), path)
  }

  /** Runs the streaming query to its end, and returns its rows. */
  private def result(df: DataFrame): Seq[Row] = ran(df)._1

  private def ran(df: DataFrame): (Seq[Row], String) = {
    val query = df.writeStream
      .format("memory")
      .queryName("sink")
      .trigger(Trigger.AvailableNow())
      .start()
    try {
      query.processAllAvailable()
      query.awaitTermination()
      val plan = new ByteArrayOutputStream
      Console.withOut(plan)(query.explain())
      (spark.table("sink").collect().toSeq, plan.toString("UTF-8"))
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
      val (rows, plan) = ran(stream.join(some, Seq("month"), "left_semi"))
      assert("Join".r.findAllIn(plan).size == 1, plan)
      checkRows(rows, file.where("month IN (1, 2, 4, 5)"))
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

  test("foreachBatch overwrites what the static side of its batch reads") {
    withTempDir { dir =>
      val (in, table) = (new File(dir, "in").getPath, new File(dir, "table").getPath)
      spark.range(20).write.parquet(in)
      var expected: Option[Long] = None
      val stream = broadcast(spark.readStream.schema("id BIGINT").parquet(in))
      for (adaptive <- Seq("true", "false"); enabled <- Seq("false", "true"))
        withConf(
          "spark.sieve.enabled" -> enabled,
          "spark.sql.adaptive.enabled" -> adaptive,
          "spark.sql.adaptive.streaming.stateless.enabled" -> adaptive) {
          spark
            .range(0, 200, 1, 2)
            .selectExpr("id", "id % 7 AS v")
            .write
            .mode("overwrite")
            .parquet(table)
          val numbers = spark.read.parquet(table)
          val joined = numbers.where("v < 4").exceptAll(numbers.where("v = 2")).join(stream, "id")
          if (enabled == "true") assert(reasons(joined).contains(Some(Reason.Streaming)))
          val query = joined.writeStream
            .trigger(Trigger.AvailableNow())
            .foreachBatch { (batch: DataFrame, _: Long) =>
              batch.write.mode("overwrite").parquet(table)
            }
            .start()
          val failure = Try(query.awaitTermination()).failed.toOption
          val rows =
            if (failure.nonEmpty) None else Some(spark.read.parquet(table).count())
          if (enabled == "false") expected = rows else assert(rows == expected)
        }
    }
  }

  private def checkRows(rows: Seq[Row], expected: DataFrame): Unit =
    checkAnswer(
      spark.createDataFrame(spark.sparkContext.parallelize(rows), flights.schema),
      expected)
}
