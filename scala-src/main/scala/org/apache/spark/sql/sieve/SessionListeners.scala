package org.apache.spark.sql.sieve

import java.util.concurrent.TimeoutException

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.util.QueryExecutionListener

/** The listeners of a session, which Spark lets be registered but not asked for. */
object SessionListeners {

  /** Those that are registered now. */
  def apply(session: SparkSession): Seq[QueryExecutionListener] =
    session.sessionState.listenerManager.listListeners().toSeq

  /** Waits until listeners have seen all that has happened so far, but no longer than `millis`. */
  def await(session: SparkSession, millis: Long): Unit =
    try session.sparkContext.listenerBus.waitUntilEmpty(millis)
    catch { case _: TimeoutException => }
}
