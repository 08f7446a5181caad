package io.sparksieve.bench

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.QueryExecution

import io.sparksieve.{Confs, SieveExtensions, SparkCompat}

/**
 * What cases run with: one Spark in this process, with a session that has the extension and one
 * that does not know of it.
 */
final class Bench(val options: Options) {

  /** What is set for every case; the rest is Spark's defaults. */
  val conf: Map[String, String] = Map(
    "spark.master" -> "local[2]",
    "spark.ui.enabled" -> "false",
    "spark.ui.showConsoleProgress" -> "false")

  /** The session with the extension. */
  val extended: SparkSession = session { builder =>
    val others = CaseGroups.rooms.getOrElse(options.room, Nil).map(_.extensions)
    others.foldLeft(builder.withExtensions(new SieveExtensions))(_.withExtensions(_))
  }

  /** A session without it. */
  lazy val plain: SparkSession = session(identity)

  private val tables = new Tables(Tables.Home)

  /** Makes `needed` known to `session`; their data is written if it is not there. */
  def prepare(session: SparkSession, needed: Seq[Table]): Unit =
    needed.foreach(tables.register(session, _))

  /** The data that was used, with the bytes it takes. */
  def data: Seq[(DataSet, Long)] = tables.used

  /** Parses and analyzes `sql`; nothing runs. */
  def query(session: SparkSession, sql: String): QueryExecution =
    SparkCompat.plan(session, SparkCompat.parser(session).parsePlan(sql))

  /** Runs `body` with `settings`, and sets back afterwards what was there. */
  def withConf[T](session: SparkSession, settings: Map[String, String])(body: => T): T =
    Confs.during(session, settings)(body)

  /** Writes a report file and yields where. */
  def write(name: String, text: String): Path = {
    Files.createDirectories(options.out)
    Files.write(options.out.resolve(name), text.getBytes(UTF_8))
  }

  /** Whether Spark has ended, by whatever hand: no further case can run. */
  def stopped: Boolean = extended.sparkContext.isStopped

  def close(): Unit = extended.stop()

  // Both sessions share one context; each is built as if there were no other.
  private def session(extend: SparkSession.Builder => SparkSession.Builder): SparkSession = {
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
    val builder = SparkSession.builder().appName("sieve-bench")
    extend(conf.foldLeft(builder) { case (b, (k, v)) => b.config(k, v) }).getOrCreate()
  }
}
