package io.sparksieve.adaptivefilter

import java.util.concurrent.TimeUnit

import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.util.LongAccumulator

import io.sparksieve.LastUsed

/**
 * What the driver remembers of filters that have run: whether their order was worth learning. A
 * filter by which little was gained runs as Spark's own the next time, which costs nothing. After a
 * while it is learned anew, for the rows may have changed.
 */
private[adaptivefilter] object EarlierRuns {
  import EarlierRun._

  /** Filters of which runs are remembered: those that were planned or ran last. */
  val Max = 512

  private val runs = new LastUsed[String, List[EarlierRun]](Max)

  /** Takes note of a run of the filter `key` ([[FilterKey]]) that begins now. */
  def add(key: String, run: EarlierRun): Unit = synchronized {
    // Code is made again for the same run if Spark falls back.
    val others = known(key).filterNot(_.took eq run.took)
    runs.put(key, (run :: others).take(Enough))
  }

  /**
   * The most that was gained in one of the last runs, if there were enough, long enough, and lately:
   * the first one is slowed by much that is done once, and proves nothing.
   */
  def gain(key: String): Option[Gain] = synchronized(known(key))
    .filter(run => System.nanoTime() - run.begun < Lately)
    .map(_.gain)
    .filter(_.tookNanos >= LongEnough) match {
    case gains if gains.size >= Enough => Some(gains.maxBy(_.share))
    case _ => None
  }

  /** Forgets everything. */
  def clear(): Unit = synchronized(runs.clear())

  private def known(key: String) = Option(runs.get(key)).getOrElse(Nil)
}

/**
 * A run of a filter, finished or not.
 *
 * @param saved
 *   nanoseconds that its tasks have saved by the order, by their estimate
 * @param took
 *   nanoseconds that its tasks took from their first row on
 * @param begun
 *   time of System.nanoTime
 */
private[adaptivefilter] final case class EarlierRun(
    saved: SQLMetric,
    took: LongAccumulator,
    begun: Long = System.nanoTime()) {

  // A metric to which nothing was added may be negative.
  def gain: EarlierRun.Gain = EarlierRun.Gain(math.max(0L, saved.value), took.sum)
}

private[adaptivefilter] object EarlierRun {

  /** What was saved, and what the tasks took all the same. */
  final case class Gain(savedNanos: Long, tookNanos: Long) {

    /** The share of the tasks' time that the order has saved. */
    def share: Double = savedNanos.toDouble / math.max(1L, savedNanos + tookNanos)

    override def toString: String = {
      val seconds = tookNanos / 1e9
      f"in earlier runs the order saved ${share * 100}%.1f %% of the tasks' time ($seconds%.1f s)"
    }
  }

  private[adaptivefilter] val Enough = 2
  private[adaptivefilter] val LongEnough = TimeUnit.SECONDS.toNanos(1)
  private[adaptivefilter] val Lately = TimeUnit.MINUTES.toNanos(10)
}
