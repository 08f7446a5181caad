// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.sieve.SessionListeners
import org.apache.spark.sql.util.QueryExecutionListener

import io.sparksieve.advice.workload.{QueryReads, SessionReads}
import io.sparksieve.pushdown.{FiguresOfRun, RowsOfRun}
import io.sparksieve.report.core.OrderSnapshot

/**
 * Keeps the measurements of the operators of a session's queries, for `sieve_report`. The listener
 * holds no reference to a session or a plan. A cloned session shares the listener of its original.
 */
private[report] final class RunListener extends QueryExecutionListener with Logging {

  private val runs = new Runs
  private val sessionReads = new SessionReads

  /** The last run of a query; None if no run is known. */
  def run(query: QueryExecution): Option[Runs.Known] = runs.get(query.analyzed)

  /** The predicate orders in the last run of a query; empty if no run is known. */
  def moments(query: QueryExecution): Seq[OrderSnapshot] = run(query).toSeq.flatMap(_.run.moments)

  /** The row counts of the scans in the last run of a query; empty if no run is known. */
  def scans(query: QueryExecution): Seq[RowsOfRun] = run(query).toSeq.flatMap(_.run.scans)

  /** The queries that have run, with their times. */
  def reads: Seq[QueryReads] = sessionReads.all

  override def onSuccess(funcName: String, qe: QueryExecution, durationNs: Long): Unit =
    try {
      val FiguresOfRun(measured, scans) = FiguresOfRun.of(qe, durationNs)
      val run = Runs.Run(
        measured.entries,
        measured.moments,
        scans,
        funcName,
        JoinStrategies.of(qe.executedPlan))
      if (run.entries.nonEmpty || run.scans.nonEmpty) runs.put(qe.analyzed, run)
      sessionReads.add(qe.executedPlan, durationNs / 1e9)
    } catch {
      // An error that Spark's listener bus does not catch would stop the application.
      case e @ (NonFatal(_) | _: StackOverflowError) =>
        logWarning(s"Sieve could not note what a query measured: $e", e)
    }

  override def onFailure(funcName: String, qe: QueryExecution, exception: Exception): Unit = ()
}

private[report] object RunListener {

  /**
   * The session's listener; None before the session has run a query with Sieve on. Spark notifies
   * listeners of finished runs on another thread, so this waits for it, for at most one second.
   */
  def settled(session: SparkSession): Option[RunListener] = {
    val found = of(session)
    if (found.nonEmpty) SessionListeners.await(session, MaxWaitMillis)
    found
  }

  private[report] def of(session: SparkSession): Option[RunListener] =
    SessionListeners(session).collectFirst { case mine: RunListener => mine }

  private val MaxWaitMillis = 1000L
}
