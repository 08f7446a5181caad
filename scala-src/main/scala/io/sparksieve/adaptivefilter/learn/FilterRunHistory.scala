// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.util.LongAccumulator

import io.sparksieve.common.{LastUsed, Numbers}

/**
 * Remembers on the driver whether the order of a filter was worth learning. A filter that gained
 * little runs as Spark's own FilterExec the next time, at no cost. After [[EarlierRun.Lately]], its
 * order is learned again, because the data may have changed.
 */
private[adaptivefilter] object FilterRunHistory {
  import EarlierRun._

  /** The number of filters whose runs are remembered: those that were planned or ran last. */
  val Max = 512

  private val runs = new LastUsed[String, List[EarlierRun]](Max)

  /** Records a run of the filter `key` ([[FilterKey]]) that begins now. */
  def add(key: String, run: EarlierRun): Unit = synchronized {
    // A run is added again when Spark falls back and generates its code once more.
    val others = known(key).filterNot(_.took eq run.took)
    runs.put(key, (run :: others).take(Enough))
  }

  /**
   * The best gain of the last [[EarlierRun.Enough]] runs. None unless there were that many, each
   * began less than [[EarlierRun.Lately]] ago, and each took at least [[EarlierRun.LongEnough]] of
   * task time. One run proves nothing, because much one-time work slows down the first run.
   */
  def gain(key: String): Option[Gain] = synchronized(known(key))
    .filter(run => System.nanoTime() - run.begun < Lately)
    .map(_.gain)
    .filter(_.tookNanos >= LongEnough) match {
    case gains if gains.size >= Enough => Some(gains.maxBy(_.share))
    case _ => None
  }

  /** All runs that are remembered. */
  private[adaptivefilter] def all: Seq[EarlierRun] =
    synchronized(runs.values.asScala.toSeq.flatten)

  /** Forgets everything. */
  def clear(): Unit = synchronized(runs.clear())

  private def known(key: String) = Option(runs.get(key)).getOrElse(Nil)
}

/**
 * A run of a filter, finished or not.
 *
 * @param saved
 *   nanoseconds that its tasks have saved by the order, as they estimate
 * @param took
 *   nanoseconds that its tasks took from their first row on
 * @param begun
 *   the System.nanoTime of its start
 */
private[adaptivefilter] final case class EarlierRun(
    saved: SQLMetric,
    took: LongAccumulator,
    begun: Long = System.nanoTime()) {

  // A metric to which no value was added may be negative.
  def gain: EarlierRun.Gain = EarlierRun.Gain(math.max(0L, saved.value), took.sum)
}

private[adaptivefilter] object EarlierRun {

  /** The time that the order saved, and the time that the tasks still took. */
  final case class Gain(savedNanos: Long, tookNanos: Long) {

    /** The saved time as a share of the time that the tasks would have taken without it. */
    def share: Double = savedNanos.toDouble / math.max(1L, savedNanos + tookNanos)

    override def toString: String = {
      val seconds = tookNanos / 1e9
      s"in earlier runs the order saved ${Numbers.percent(share)} of the tasks' time " +
        s"(${Numbers.decimal(seconds, 1)} s)"
    }
  }

  private[adaptivefilter] val Enough = 2
  private[adaptivefilter] val LongEnough = TimeUnit.SECONDS.toNanos(1)
  private[adaptivefilter] val Lately = TimeUnit.MINUTES.toNanos(10)
}
