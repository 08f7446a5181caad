// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.sieve.OnThread
import org.apache.spark.sql.types.{DataType, DoubleType, LongType, StringType}

import io.sparksieve.advice._
import io.sparksieve.advice.workload.{QueryReads, ReadsOf, TableRead}
import io.sparksieve.common.LastUsed
import io.sparksieve.compat.SparkCompat

/**
 * `sieve_advise('<view name or SQL text>')`: for each table of the query, what the query reads of
 * its files and would read of other layouts, and the statement that writes the layout. Without an
 * argument: for all queries that have run in the session, weighted by their times. Reads footers
 * and a sample of each table; rewrites nothing.
 */
private[sparksieve] object SieveAdvise extends AdviceFunction {

  override val name = "sieve_advise"

  override val usage =
    "sieve_advise(['<view name or SQL text>']) - how tables should be laid out for the query, or " +
      "for all queries that ran in this session"

  override val columns: Seq[(String, DataType)] = Seq(
    "table" -> StringType,
    "outcome" -> StringType,
    "layout" -> StringType,
    "read_today" -> DoubleType,
    "read_after" -> DoubleType,
    "gain" -> DoubleType,
    "uncertainty" -> DoubleType,
    "bytes_to_rewrite" -> LongType,
    "statement" -> StringType,
    "reason" -> StringType
  )

  override protected def rows(session: SparkSession, arguments: Seq[Expression]): Seq[Seq[Any]] =
    advice(session, arguments).tables.flatMap(rowsOf)

  private def rowsOf(table: TableAdvice): Seq[Seq[Any]] = {
    val start = Seq[Any](table.table, table.outcome.name)
    val today = table.today.fold[Any](null)(_.bytes)
    if (table.layouts.isEmpty)
      Seq(start ++ Seq(null, today, null, null, null, null, null, table.reason))
    else
      table.layouts.zipWithIndex.map { case (l, i) =>
        start ++ Seq[Any](
          l.layout.text,
          today,
          l.read.bytes,
          l.gain,
          l.uncertainty,
          l.bytesToRewrite,
          l.statement.text,
          if (i == 0) table.reason else null)
      }
  }

  /**
   * The advice for a query as a JSON document ([[AdviceJson]]); null if its session runs without
   * Sieve. Classic PySpark calls this and the next two methods.
   *
   * @throws IllegalArgumentException
   *   if the query reads a stream
   */
  def ofQuery(query: QueryExecution): String = {
    val session: SparkSession = query.sparkSession
    within(session)(forQuery(session, QueryText.batch(SparkCompat.plan(session, query.analyzed))))
  }

  /** The advice for SQL text, or for the view or table with this name; null as for [[ofQuery]]. */
  def ofText(session: SparkSession, text: String): String =
    within(session)(forQuery(session, QueryText.plan(session, text)))

  /** The advice for the queries that ran in the session; null as for [[ofQuery]]. */
  def ofSession(session: SparkSession): String = within(session)(forSession(session))

  private def within(session: SparkSession)(advice: => Advice): String = {
    // A look-up by name differs between Spark lines.
    val isActive =
      SparkCompat.tableFunctions(session).listFunction().exists(_.funcName == name)
    if (isActive) OnThread.active(session)(AdviceJson(advice)) else null
  }
}

/**
 * `sieve_advise_json('<id of the call>'[, '<view name or SQL text>'])`: [[SieveAdvise]] as one JSON
 * document, for Spark Connect. Connect analyses a query twice, and each analysis calls the function;
 * by the id, which is new for each call of the user, the second finds the answer of the first.
 */
private[sparksieve] object SieveAdviseJson extends AdviceFunction {

  override val name = "sieve_advise_json"

  override val usage =
    "sieve_advise_json('<id of the call>'[, '<view name or SQL text>']) - the rows of " +
      "sieve_advise as one document"

  override val columns: Seq[(String, DataType)] = Seq("json" -> StringType)

  private final val MostAnswers = 4

  private val answers = new LastUsed[String, String](MostAnswers)

  override protected def rows(session: SparkSession, arguments: Seq[Expression]): Seq[Seq[Any]] = {
    val id = text(arguments.take(1))
    val known = answers.synchronized(Option(answers.remove(id)))
    val document = known.getOrElse {
      val made = AdviceJson(advice(session, arguments.drop(1)))
      answers.synchronized(answers.put(id, made))
      made
    }
    Seq(Seq(document))
  }
}

/** A table function that advises on a query, or on all queries of the session. */
private[sql] abstract class AdviceFunction extends SieveTableFunction {

  /** @param arguments the text of a query, or nothing */
  protected def advice(session: SparkSession, arguments: Seq[Expression]): Advice =
    if (arguments.isEmpty) forSession(session)
    else forQuery(session, QueryText.plan(session, text(arguments)))

  protected def forQuery(session: SparkSession, query: QueryExecution): Advice = {
    val reads = ReadsOf.planned(query)
    // A run in this session knows the keys that were collected, and its time.
    val run = ran(session).filter(r => areSame(r.reads, reads)).lastOption
    val known = run.fold(reads) { r =>
      reads.zip(r.reads).map { case (read, earlier) => read.copy(keys = earlier.keys) }
    }
    val one =
      QueryReads(ReadsOf.text(known), known, run.fold(0)(_.runs), run.flatMap(_.seconds))
    new Adviser(session)(Advice.Scope.Query, Seq(one))
  }

  protected def forSession(session: SparkSession): Advice =
    new Adviser(session)(Advice.Scope.Session, ran(session))

  private def ran(session: SparkSession) = RunListener.settled(session).toSeq.flatMap(_.reads)

  private def areSame(a: Seq[TableRead], b: Seq[TableRead]) =
    a.map(r => (r.table, ReadsOf.tests(r))) == b.map(r => (r.table, ReadsOf.tests(r)))
}
