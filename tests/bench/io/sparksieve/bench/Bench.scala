// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.QueryExecution

import io.sparksieve.{Confs, SieveExtensions}
import io.sparksieve.compat.SparkCompat

/**
 * The environment of the cases: one local Spark in this process, with a session that has the
 * extension and a session without it.
 */
final class Bench(val options: Options) {

  /** The confs of every case; all others keep Spark's defaults. */
  val conf: Map[String, String] = Map(
    "spark.master" -> "local[2]",
    "spark.ui.enabled" -> "false",
    "spark.ui.showConsoleProgress" -> "false")

  /** The session with the extension. */
  val extended: SparkSession = session { builder =>
    val others = CaseGroups.features.getOrElse(options.feature, Nil).map(_.extensions)
    others.foldLeft(builder.withExtensions(new SieveExtensions))(_.withExtensions(_))
  }

  /** A session without the extension. */
  lazy val plain: SparkSession = session(identity)

  private val tables = new Tables(Tables.Home)

  /** Registers `needed` in `session`, and writes their data if it does not exist yet. */
  def prepare(session: SparkSession, needed: Seq[Table]): Unit =
    needed.foreach(tables.register(session, _))

  /** The data sets used so far, with their sizes in bytes. */
  def data: Seq[(DataSet, Long)] = tables.used

  /** Parses and analyzes `sql`; nothing runs. */
  def query(session: SparkSession, sql: String): QueryExecution =
    SparkCompat.plan(session, SparkCompat.parser(session).parsePlan(sql))

  /** Runs `body` with `settings`, and restores the earlier values afterwards. */
  def withConf[T](session: SparkSession, settings: Map[String, String])(body: => T): T =
    Confs.during(session, settings)(body)

  /** Writes a report file and returns its path. */
  def write(name: String, text: String): Path = {
    Files.createDirectories(options.out)
    Files.write(options.out.resolve(name), text.getBytes(UTF_8))
  }

  /** Whether the SparkContext has been stopped, for any reason: no further case can run. */
  def stopped: Boolean = extended.sparkContext.isStopped

  def close(): Unit = extended.stop()

  // Both sessions share one SparkContext. Without an active and a default session, the builder
  // creates a new session.
  private def session(extend: SparkSession.Builder => SparkSession.Builder): SparkSession = {
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
    val builder = SparkSession.builder().appName("sieve-bench")
    extend(conf.foldLeft(builder) { case (b, (k, v)) => b.config(k, v) }).getOrCreate()
  }
}
