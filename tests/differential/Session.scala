// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import java.io.File
import java.nio.file.Files

import org.apache.spark.SparkConf
import org.apache.spark.sieve.PlainContext
import org.apache.spark.sql.SparkSession

import io.sparksieve.LocalSession
import io.sparksieve.differential.expression.Udfs
import io.sparksieve.differential.judgement.LogWatch
import io.sparksieve.differential.table.RandomTables
import io.sparksieve.report.core.PlanningLog

/** The session of both runs of every query. */
object Session {

  /** A new folder for the data of the tables. */
  val folder: File = {
    val state = new File(sys.props.getOrElse("sieve.state", "target")).getAbsoluteFile
    state.mkdirs()
    val made = Files.createTempDirectory(state.toPath, "differential").toFile
    sys.addShutdownHook(delete(made))
    made
  }

  private def settings: Map[String, String] = Map(
    // So that a run of hours may be stopped for a while (SIGSTOP), for measurements.
    "spark.network.timeout" -> "100000s",
    // By default each sort and aggregation allocates many megabytes, which keeps the garbage
    // collector busy.
    "spark.buffer.pageSize" -> "1m",
    "spark.sql.warehouse.dir" -> new File(folder, "warehouse").toURI.toString,
    // A table of a few rows is one task, however many files it has.
    "spark.sql.leafNodeDefaultParallelism" -> "1",
    "spark.sql.files.minPartitionNum" -> "1",
    "spark.sql.files.openCostInBytes" -> "0",
    "spark.sql.session.timeZone" -> "UTC",
    "spark.sql.sources.parallelPartitionDiscovery.threshold" -> "1000",
    // A table that is created again with fewer rows finds the files of its predecessor.
    "spark.sql.legacy.allowNonEmptyLocationInCTAS" -> "true",
    // Dates and timestamps before 1582 are written and read without rebasing.
    "spark.sql.parquet.datetimeRebaseModeInWrite" -> "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInRead" -> "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInWrite" -> "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead" -> "CORRECTED",
    s"spark.sql.catalog.${RandomTables.Catalog}" ->
      "org.apache.spark.sql.connector.catalog.InMemoryTableCatalog",
    // For Spark 4.0, where it is not the default.
    "spark.sql.collation.trim.enabled" -> "true",
    // Broadcasts have a few bytes.
    "spark.broadcast.compress" -> "false",
    "spark.broadcast.checksum" -> "false"
  )

  def start(): SparkSession = {
    // Users have the tab in Spark's UI, for which rules keep their verdicts.
    PlanningLog.start()
    new PlainContext(new SparkConf().setAll(LocalSession.settings("differential") ++ settings))
    val spark = SparkSession.builder().getOrCreate()
    Udfs.register(spark)
    LogWatch.install()
    spark
  }

  private def delete(file: File): Unit = {
    Option(file.listFiles).toSeq.flatten.foreach(delete)
    file.delete()
  }
}
