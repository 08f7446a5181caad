// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.execution.sieve

import java.util.concurrent.{Callable, ExecutorService, Future}

import org.apache.spark.sql.SparkSession
import org.apache.spark.util.Utils

/** Runs a session's work on another thread, with methods that are private to Spark. */
object OnThread {

  /**
   * Runs `body` on a thread of `pool` with the local properties of the caller's thread, among them
   * the job group and the query execution.
   */
  def apply[T](session: SparkSession, pool: ExecutorService)(body: => T): Future[T] = {
    val context = session.sparkContext
    val properties = Utils.cloneProperties(context.getLocalProperties)
    pool.submit(new Callable[T] {
      override def call(): T = {
        context.setLocalProperties(properties)
        active(session)(body)
      }
    })
  }

  /** Runs `body` with `session` as the active session. */
  def active[T](session: SparkSession)(body: => T): T = session.withActive(body)
}
