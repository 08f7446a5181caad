// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.run

import io.sparksieve.adaptivefilter.learn.{SampleBuilder, SamplingSchedule, TaskOrderLearner}
import io.sparksieve.adaptivefilter.predicate.Precedence
import io.sparksieve.conf.PolicySettings

/**
 * One task's run of a filter that evaluates one row at a time. It decides on the order of the
 * predicates, and which rows are sampled: for these, all predicates are evaluated and timed.
 * Generated code uses it too, but holds the order and counts the rows itself:
 * {{{
 *   if (--untilSample < 0) {
 *     untilSample = run.lapse(); order = run.order();
 *     if (untilSample == 0) -> sample this row
 *   }
 * }}}
 */
private[adaptivefilter] final class RowRun(
    learner: TaskOrderLearner,
    precedence: Precedence,
    settings: PolicySettings) {
  import RowRun._

  private val byRank = settings.policy == PolicySettings.Rank
  private val builder = new SampleBuilder(precedence.size)
  private val schedule = new SamplingSchedule
  private var pause = 0
  private var rowsSinceRanks = 0L
  private var blockStart = 0L
  private var dropped = 0L
  private var isWarm = false

  def order: Array[Int] = learner.order

  /** Whether [[order]] is the written order. */
  def asWritten: Boolean = java.util.Arrays.equals(order, precedence.written)

  /**
   * Called for the first row after those that the previous call of [[lapse]] or [[end]] returned.
   * Returns 0 if this row is to be sampled, else how many rows follow it until the next call.
   */
  def lapse(): Int = {
    learner.filtered(pause.toLong)
    if (byRank) {
      rowsSinceRanks += pause + 1
      if (rowsSinceRanks >= settings.calculateRate) {
        rowsSinceRanks = 0
        learner.add(builder.result())
        learner.update()
      }
      pause = 0
    } else if (builder.size > 0 || schedule.isDue(System.nanoTime())) pause = 0
    else pause = math.min(math.max(pause * 2, FirstPause), LongestPause)
    pause
  }

  /** Begins to sample a row. */
  def begin(): Unit = {
    if (!byRank && builder.size == 0) blockStart = System.nanoTime()
    dropped = 0L
  }

  /**
   * Whether to evaluate predicate `k` for the sampled row. To be called in the written order, each
   * time after [[answered]] for the predicates before.
   */
  def evaluates(k: Int): Boolean = precedence.isFree(k) || dropped == 0

  /** Records the result and the time of a predicate. */
  def answered(k: Int, passes: Boolean, nanos: Long): Unit = {
    if (!passes) dropped |= 1L << k
    builder.evaluated(k, 1, if (passes) 1 else 0, nanos)
  }

  /** Ends the sampling of a row. Returns how many rows follow until the next [[lapse]]. */
  def end(): Int = {
    builder.row(dropped, -1L)
    if (byRank) pause = settings.collectRate - 1
    else if (!isWarm) {
      // The first evaluation may load classes, so its times say nothing of the costs.
      builder.result()
      isWarm = true
      pause = 0
    } else if (builder.size < Block) pause = 0
    else {
      learner.add(builder.result())
      learner.update()
      schedule.sampled(blockStart, System.nanoTime())
      pause = FirstPause
    }
    pause
  }

  /** Whether the row sampled last passes. */
  def passed: Boolean = dropped == 0
}

private object RowRun {

  /** The number of rows in one sample. */
  private val Block = 32

  private val FirstPause = 256
  private val LongestPause = 16384
}
