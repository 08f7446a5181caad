// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import java.util.concurrent.Semaphore

import org.apache.spark.sql.internal.{SQLConf, StaticSQLConf}

/**
 * Limits how many of Spark's threads for broadcasts wait for keys. A side that is broadcast may be
 * filtered by the keys of another one, whose broadcast needs such a thread too. If all of them
 * waited, no broadcast of the application would go on. At most half of them wait; the others take
 * the keys that are there, or go on without.
 */
private[dynamicfilter] object WaitingThreads {

  private lazy val permits = new Semaphore(
    SQLConf.get.getConf(StaticSQLConf.BROADCAST_EXCHANGE_MAX_THREAD_THRESHOLD) / 2)

  /** The result of `wait`, or of `now` on a thread that may not wait. */
  def apply[A](now: => A)(wait: => A): A =
    if (!isBroadcasts) wait
    else if (!permits.tryAcquire()) now
    else
      try wait
      finally permits.release()

  /** Whether the current thread computes a broadcast, which Spark gives a limited time. */
  def isBroadcasts: Boolean = Thread.currentThread.getName.startsWith(BroadcastThread)

  private val BroadcastThread = "broadcast-exchange"
}
