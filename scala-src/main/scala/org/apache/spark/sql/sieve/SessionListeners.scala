// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import java.util.concurrent.TimeoutException

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.util.QueryExecutionListener

/** The listeners of a session; Spark's public API registers listeners but does not list them. */
object SessionListeners {

  /** The listeners that are registered now. */
  def apply(session: SparkSession): Seq[QueryExecutionListener] =
    session.sessionState.listenerManager.listListeners().toSeq

  /** Waits until the listeners have seen all events so far, but at most `millis` milliseconds. */
  def await(session: SparkSession, millis: Long): Unit =
    try session.sparkContext.listenerBus.waitUntilEmpty(millis)
    catch { case _: TimeoutException => }
}
