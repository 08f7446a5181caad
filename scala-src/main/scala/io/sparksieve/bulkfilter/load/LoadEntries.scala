// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import java.util.concurrent.{ExecutionException, ExecutorCompletionService, Semaphore, TimeUnit}

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.sieve.OnThread

import io.sparksieve.common.DaemonThreads

/** Reads the values of several files concurrently. */
private[bulkfilter] object LoadEntries {

  /**
   * Reads all entries that have not been read. If one fails, or the caller is interrupted, the
   * others are not waited for: those that have not begun to read never do.
   */
  def apply(session: SparkSession, entries: Seq[CachedValues], caps: Caps): Unit = {
    val missing = entries.filter(_.known.isEmpty).distinct
    if (missing.size == 1) missing.foreach(_.load(session, caps))
    else {
      val ended = new ExecutorCompletionService[LoadOutcome](DaemonThreads.unbounded)
      val running =
        missing.map(entry => ended.submit(OnThread.task(session)(entry.load(session, caps))))
      try running.foreach(_ => ended.take().get())
      catch { case e: ExecutionException => throw e.getCause }
      finally
        running.foreach(_.cancel(true))
    }
  }

  /**
   * Runs `body`, which temporarily needs `bytes` of memory, when that much of the budget (a third
   * of the JVM's maximum heap) is free, or after 120 seconds.
   */
  def within[T](bytes: Long)(body: => T): T = {
    val wanted = math.max(1L, math.min(bytes >> 20, Megabytes.toLong)).toInt
    // The wait has a limit to avoid a deadlock: a view may itself read values, while the load that
    // reads the view holds a part of the budget.
    val granted = budget.tryAcquire(wanted, LongestWait, TimeUnit.SECONDS)
    try body
    finally if (granted) budget.release(wanted)
  }

  private val Megabytes = math.max(1L, Runtime.getRuntime.maxMemory / 3 >> 20).toInt
  private val LongestWait = 120L
  private val budget = new Semaphore(Megabytes)
}
