package io.sparksieve.bulkfilter

import java.util.concurrent.{Semaphore, TimeUnit}

import scala.util.Try

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.sieve.OnThread

import io.sparksieve.dynamicfilter.DaemonThreads

/** Reads values of several files at a time. */
private[bulkfilter] object LoadEntries {

  /** Has all entries read; fails as the first of them fails. */
  def apply(session: SparkSession, entries: Seq[KeyEntry], caps: Caps): Unit = {
    val missing = entries.filter(_.known.isEmpty).distinct
    if (missing.size == 1) missing.foreach(_.load(session, caps))
    else {
      val running = missing.map { entry =>
        OnThread(session, DaemonThreads.unbounded)(Try(entry.load(session, caps)))
      }
      running.map(_.get()).foreach(_.get)
    }
  }

  /** Runs what needs so many bytes for a while, when that many are free. */
  def within[T](bytes: Long)(body: => T): T = {
    val wanted = math.max(1L, math.min(bytes >> 20, Megabytes.toLong)).toInt
    // A view may read values itself, while those wait that ask for it; so the wait has an end.
    val granted = budget.tryAcquire(wanted, LongestWait, TimeUnit.SECONDS)
    try body
    finally if (granted) budget.release(wanted)
  }

  private val Megabytes = math.max(1L, Runtime.getRuntime.maxMemory / 3 >> 20).toInt
  private val LongestWait = 120L
  private val budget = new Semaphore(Megabytes)
}
