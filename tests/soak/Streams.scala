// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.streaming.{OutputMode, StreamingQuery}

/**
 * Two streams of many batches at the same time: one is joined with a table and runs another query
 * for each batch, the other counts in its state. Each batch must have its rows, and the streams must
 * leave nothing behind.
 */
object Streams {

  private val PerBatch = 40

  /** Milliseconds that a batch may take. */
  private val Patience = 20000L

  def run(trial: Trial): Seq[String] = {
    val batches = trial.options.batches
    // Checkpoints are files, as many as there were batches.
    Growth
      .compared(trial)(streams(trial, batches / 5, _), streams(trial, batches, _))
      .filterNot(_.startsWith("files"))
  }

  private def streams(trial: Trial, batches: Int, confs: Map[String, String]): Seq[String] = {
    val wrong = new ConcurrentLinkedQueue[String]
    val checkpoints = Files.createTempDirectory(trial.folder.toPath, "streams")
    val both = Seq(joined(trial, confs, wrong), counted(trial, confs, wrong))
    val started = both.zipWithIndex.map { case ((df, mode, check), i) =>
      val each: (DataFrame, Long) => Unit = check
      df.writeStream
        .outputMode(mode)
        .option("checkpointLocation", checkpoints.resolve(i.toString).toString)
        .foreachBatch(each)
        .start()
    }
    started.foreach(wait(_, batches, wrong))
    wrong.asScala.toSeq.distinct
  }

  private def wait(
      stream: StreamingQuery,
      batches: Int,
      wrong: ConcurrentLinkedQueue[String]): Unit = {
    val end = System.currentTimeMillis() + Patience * (batches + 1)
    def done = Option(stream.lastProgress).map(_.batchId + 1).getOrElse(0L)
    while (stream.isActive && done < batches && System.currentTimeMillis() < end) Thread.sleep(50)
    if (done < batches) {
      wrong.add(
        s"a stream ended or hung after $done batches: ${stream.exception.fold("")(_.toString)}")
    }
    stream.stop()
  }

  private def input(session: SparkSession): DataFrame =
    session.readStream
      .format("rate-micro-batch")
      .option("rowsPerBatch", PerBatch.toLong)
      .option("numPartitions", 2L)
      .load()
      .selectExpr("value AS id", "cast(value % 400 AS INT) AS k")

  private def joined(
      trial: Trial,
      confs: Map[String, String],
      wrong: ConcurrentLinkedQueue[String]) = {
    val session = trial.workload.open(confs)
    val df = input(session).join(session.table("dim"), "k").where("tag = 3 AND k > 5").select("id")
    val check = (batch: DataFrame, number: Long) => {
      val found = batch.collect().map(_.getLong(0)).toSeq.sorted
      val ids = number * PerBatch until (number + 1) * PerBatch
      if (found != ids.filter(i => i % 10 == 3 && i % 400 > 5))
        wrong.add(s"joined, batch $number: $found")
      val work = trial.workload.all((number % trial.workload.all.size).toInt)
      trial.workload.check(work, session).foreach(wrong.add(_))
    }
    (df, OutputMode.Append, check)
  }

  private def counted(
      trial: Trial,
      confs: Map[String, String],
      wrong: ConcurrentLinkedQueue[String]) = {
    val session = trial.workload.open(confs)
    val df = input(session)
      .join(session.table("dim"), "k")
      .where("tag IN (2, 3) AND k % 3 <> 1 AND id > 7")
      .groupBy("tag")
      .count()
    val check = (batch: DataFrame, number: Long) => {
      val found = batch.collect().map(r => r.getInt(0) -> r.getLong(1)).toMap
      val ids = (8L until (number + 1) * PerBatch).filter(i => i % 400 % 3 != 1)
      val expected = ids.map(_ % 10).filter(Set(2L, 3L)).groupBy(identity).map { case (tag, all) =>
        tag.toInt -> all.size.toLong
      }
      if (found != expected) {
        wrong.add(s"counted, batch $number: $found instead of $expected")
        ()
      }
    }
    (df, OutputMode.Complete, check)
  }
}
