package io.sparksieve.adaptivefilter

/**
 * When a task takes its next sample under the policy `greedy`: sampling takes a hundredth of the
 * time at most, and no more is needed than a few hundred samples a second.
 */
private[adaptivefilter] final class Schedule {
  import Schedule._

  private var due = Long.MinValue

  def isDue(now: Long): Boolean = due == Long.MinValue || now - due >= 0

  /** Takes note of a sample. Both are times of System.nanoTime. */
  def sampled(start: Long, end: Long): Unit = due =
    end + math.max(Share * (end - start), LeastPause)
}

private object Schedule {
  private val Share = 99
  private val LeastPause = 2L * 1000 * 1000
}
