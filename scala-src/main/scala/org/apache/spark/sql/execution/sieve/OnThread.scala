// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.execution.sieve

import java.util.concurrent.Callable

import org.apache.spark.sql.SparkSession
import org.apache.spark.util.Utils

/** Runs a session's work on another thread, with methods that are private to Spark. */
object OnThread {

  /**
   * `body` to be run on another thread, with the local properties of the caller's thread, among
   * them the job group and the query execution.
   */
  def task[T](session: SparkSession)(body: => T): Callable[T] = {
    val context = session.sparkContext
    val properties = Utils.cloneProperties(context.getLocalProperties)
    new Callable[T] {
      override def call(): T = {
        context.setLocalProperties(properties)
        active(session)(body)
      }
    }
  }

  /** Runs `body` with `session` as the active session. */
  def active[T](session: SparkSession)(body: => T): T = session.withActive(body)
}
