// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.util.concurrent.{ExecutorService, Executors, ThreadFactory}
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.sql.SparkSession

/** Threads that do not keep the JVM alive. */
private[sparksieve] object DaemonThreads {

  /**
   * Has no limit on the number of threads: a thread that collects keys may wait for keys that
   * another thread collects, so under a limit all threads could wait for a thread that cannot
   * start.
   */
  val unbounded: ExecutorService = Executors.newCachedThreadPool(named("sieve-keys"))

  /**
   * At most `n` threads, for work that does not wait for other work. The caller shuts the pool
   * down.
   */
  def bounded(n: Int, name: String): ExecutorService = Executors.newFixedThreadPool(n, named(name))

  private def named(name: String): ThreadFactory = new ThreadFactory {
    private val made = new AtomicInteger
    override def newThread(work: Runnable): Thread = {
      // A thread inherits the active session of the one that makes it, and would keep it alive.
      val alone: Runnable = () => {
        SparkSession.clearActiveSession()
        work.run()
      }
      val thread = new Thread(alone, s"$name-${made.incrementAndGet()}")
      thread.setDaemon(true)
      thread
    }
  }
}
