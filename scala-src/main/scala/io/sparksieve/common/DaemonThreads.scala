// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.util.concurrent.{ExecutorService, Executors, ThreadFactory}
import java.util.concurrent.atomic.AtomicInteger

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
      val thread = new Thread(work, s"$name-${made.incrementAndGet()}")
      thread.setDaemon(true)
      thread
    }
  }
}
