// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.{SparkListener, SparkListenerApplicationEnd, SparkListenerEvent}
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd

/**
 * A SQL execution that has ended without an error.
 *
 * @param id
 *   the id of the execution in Spark's UI
 * @param time
 *   when it ended, in milliseconds since the epoch
 * @param action
 *   Spark's name of the action, such as `collect`; empty if Spark has none
 */
final case class EndedExecution(
    id: Long,
    time: Long,
    nanos: Long,
    action: String,
    query: QueryExecution)

/** Writes an event for each SQL execution that has ended without an error. */
private[sieve] final class EndedExecutions(
    write: SparkListenerEvent => Unit,
    event: EndedExecution => Option[SparkListenerEvent],
    ended: () => Unit)
    extends SparkListener
    with Logging {

  override def onApplicationEnd(end: SparkListenerApplicationEnd): Unit = ended()

  override def onOtherEvent(of: SparkListenerEvent): Unit = of match {
    // An event that is read from a log has no query.
    case end: SparkListenerSQLExecutionEnd
        if end.qe != null && end.executionFailure.isEmpty && !isMicroBatch(end.qe) =>
      try {
        val name = end.executionName.getOrElse("")
        event(EndedExecution(end.executionId, end.time, end.duration, name, end.qe)).foreach(write)
      } catch {
        // An error that Spark's listener bus does not catch would stop the application.
        case e @ (NonFatal(_) | _: LinkageError | _: StackOverflowError) =>
          logWarning(s"Sieve could not note the end of SQL execution ${end.executionId}: $e", e)
      }
    case _ =>
  }

  // A stream has no end, and the compaction of its event log would never drop these events. The
  // class is in other packages on other lines.
  private def isMicroBatch(query: QueryExecution) =
    query.getClass.getSimpleName == "IncrementalExecution"
}
