// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import java.io.File
import java.nio.file.Files

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.SparkSession

import io.sparksieve.LocalSession
import io.sparksieve.conf.SieveConf

/**
 * Many sessions, queries at the same time, cancelled queries and long streams in one application:
 * the rows must be those without Sieve, and nothing may be left behind. Arguments: see [[Options]].
 *
 * Ends with a line `N passed, N failed` for the trials, and with exit code 1 if one failed.
 */
object Main {

  /** The trials: each returns what is wrong. */
  val trials: Seq[(String, Trial => Seq[String])] = Seq(
    "sessions" -> Sessions.run,
    "crowd" -> Crowd.run,
    "cancel" -> Cancelled.run,
    "streams" -> Streams.run,
    "memory" -> Memory.run)

  def main(args: Array[String]): Unit = Options.parse(args.toSeq) match {
    case Left(message) =>
      System.err.println(message)
      sys.exit(2)
    case Right(options) =>
      val folder = Files.createTempDirectory("soak").toFile
      val spark = session(folder)
      val failed =
        try {
          Workload.write(spark, folder)
          val trial = Trial(spark, folder, options, new Workload(spark, folder))
          trials.filter(t => options.wants(t._1)).map { case (name, run) =>
            println(s"== $name")
            val start = System.nanoTime()
            val wrong = run(trial)
            wrong.foreach(what => println(s"FAILED: $what"))
            println(s"   ${(System.nanoTime() - start) / 1000000000L} s")
            wrong.nonEmpty
          }
        } finally {
          spark.stop()
          JavaUtils.deleteRecursively(folder)
        }
      println(s"${failed.count(!_)} passed, ${failed.count(identity)} failed")
      if (failed.contains(true)) sys.exit(1)
  }

  private def session(folder: File): SparkSession =
    LocalSession
      .builder("soak")
      .config("spark.scheduler.mode", "FAIR")
      .config("spark.local.dir", new File(folder, "local").getPath)
      .config("spark.sql.warehouse.dir", new File(folder, "warehouse").toURI.toString)
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.buffer.pageSize", "1m")
      // What Spark itself keeps of queries that ended must not hide what Sieve keeps.
      .config("spark.ui.retainedJobs", "10")
      .config("spark.ui.retainedStages", "10")
      .config("spark.ui.retainedTasks", "100")
      .config("spark.sql.ui.retainedExecutions", "10")
      .config(SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key, "1")
      .getOrCreate()
}

/** What a trial works with. */
final case class Trial(spark: SparkSession, folder: File, options: Options, workload: Workload)
