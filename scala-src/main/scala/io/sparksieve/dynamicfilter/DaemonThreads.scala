package io.sparksieve.dynamicfilter

import java.util.concurrent.{ExecutorService, Executors, ThreadFactory}
import java.util.concurrent.atomic.AtomicInteger

/** Threads that do not keep the JVM alive. */
object DaemonThreads {

  /**
   * Without a bound: a thread that waits for keys may wait for another that collects them, so with
   * a bound all could wait for one that cannot start.
   */
  val unbounded: ExecutorService = Executors.newCachedThreadPool(named("sieve-keys"))

  /** `n` threads at most, for work that waits for nobody; the caller shuts them down. */
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
