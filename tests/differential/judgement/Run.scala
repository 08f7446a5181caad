// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import scala.util.control.NonFatal

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{QueryExecution, SQLExecution, SparkPlan}
import org.apache.spark.sql.types.StructType

import io.sparksieve.Confs
import io.sparksieve.conf.SieveConf
import io.sparksieve.differential.{Answer, Query, Value}
import io.sparksieve.differential.table.Shrinking
import io.sparksieve.report.core.Report

/**
 * The result of one run of a query.
 *
 * @param rows
 *   the rows, or the error of planning or execution
 * @param plan
 *   the optimized plan, if there is one
 * @param verdicts
 *   what the rules reported
 * @param uncompiled
 *   messages of generated code that did not compile
 */
final case class Run(
    schema: StructType,
    rows: Either[Throwable, Answer],
    plan: Option[LogicalPlan],
    verdicts: Seq[Report.Entry],
    uncompiled: Seq[String])

/** Thrown if two forms of a query that must agree with Sieve on do not: a failure of Sieve's. */
final class Disagreement(message: String, cause: Throwable = null) extends Exception(message, cause)

/** Runs queries in one session, with Sieve and without. */
final class Runs(spark: SparkSession) {

  /** Thrown if Spark cannot analyse a query: a bug of its generator. */
  final class Invalid(cause: Throwable) extends Exception(cause.getMessage, cause)

  def sieve(on: Boolean)(query: => DataFrame): Run = {
    spark.conf.set(SieveConf.ENABLED.key, on.toString)
    Shrinking.restart()
    LogWatch.drain()
    val df =
      try query
      catch {
        case e: Disagreement => throw e
        case NonFatal(e) => throw new Invalid(e)
      }
    val execution = df.queryExecution
    val (planned, verdicts) = Report.collecting(attempt(execution.executedPlan))
    val rows = planned.flatMap(physical => attempt(collected(df, physical)))
    val plan = attempt(execution.optimizedPlan).toOption
    Run(df.schema, rows, plan, verdicts, LogWatch.drain())
  }

  private def collected(df: DataFrame, plan: SparkPlan): Answer = {
    val types = df.schema.map(_.dataType)
    // Internal rows: a conversion to Row would cost time and lose bits.
    val rows = Runs.underItsConfs(df.queryExecution)(plan.executeCollect())
    Answer(types, rows.toSeq.map(Value.row(_, types)))
  }

  private def attempt[T](body: => T): Either[Throwable, T] =
    try Right(body)
    catch { case e @ (NonFatal(_) | _: StackOverflowError | _: LinkageError) => Left(e) }

  /** Runs `body` under the query's confs and with its views. */
  def prepared[T](query: Query)(body: => T): T =
    Confs.during(spark, query.settings) {
      try {
        try query.before.foreach(spark.sql(_))
        catch { case NonFatal(e) => throw new Invalid(e) }
        body
      } finally query.after.foreach(spark.sql(_))
    }
}

object Runs {

  /** Runs `body` so that its tasks use the session's confs, above all the codegen mode. */
  def underItsConfs[T](query: QueryExecution)(body: => T): T =
    SQLExecution.withSQLConfPropagated(query.sparkSession)(body)
}
