// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

/**
 * Decides when a task takes its next sample under the policy `greedy`. Sampling takes at most a
 * hundredth of the time, with a pause of at least 2 ms after each sample, because a few hundred
 * samples a second are enough.
 */
private[adaptivefilter] final class SamplingSchedule {
  import SamplingSchedule._

  private var due = Long.MinValue

  def isDue(now: Long): Boolean = due == Long.MinValue || now - due >= 0

  /** Records a sample by its start and end, as values of System.nanoTime. */
  def sampled(start: Long, end: Long): Unit = due =
    end + math.max(Share * (end - start), LeastPause)
}

private object SamplingSchedule {
  private val Share = 99
  private val LeastPause = 2L * 1000 * 1000
}
