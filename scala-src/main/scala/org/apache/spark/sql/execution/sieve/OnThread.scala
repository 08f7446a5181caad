package org.apache.spark.sql.execution.sieve

import java.util.concurrent.{Callable, ExecutorService, Future}

import org.apache.spark.sql.SparkSession
import org.apache.spark.util.Utils

/** Work of a session on another thread, by methods that are private to Spark. */
object OnThread {

  /** Runs `body` with what the caller's thread has set for its jobs: their group and query. */
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

  /** Runs `body` with `session` as the one that is active. */
  def active[T](session: SparkSession)(body: => T): T = session.withActive(body)
}
