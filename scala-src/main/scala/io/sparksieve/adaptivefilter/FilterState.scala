package io.sparksieve.adaptivefilter

import java.util.concurrent.locks.ReentrantLock

/**
 * What the tasks of one executor know together of one filter: the order they ask in.
 *
 * One task at a time may teach it; another that comes meanwhile keeps what it has, and teaches it
 * the next time, or waits at its end, when there is no next time.
 */
final class FilterState(precedence: Precedence, policy: OrderPolicy) {

  @volatile private var current = precedence.written
  private val teaching = new ReentrantLock

  /** The order; never changed in place. */
  def order: Array[Int] = current

  /**
   * Takes account of samples, and decides on the order anew.
   *
   * @param waits
   *   until other tasks are done with it
   * @return
   *   None if another task is at it
   */
  def learn(samples: Seq[Sample], waits: Boolean): Option[FilterState.Learned] =
    if (waits) {
      teaching.lock()
      Some(locked(samples))
    } else if (teaching.tryLock()) Some(locked(samples))
    else None

  private def locked(samples: Seq[Sample]): FilterState.Learned =
    try {
      samples.foreach(policy.learn)
      val learned = FilterState.decide(policy, precedence, current)
      current = learned.order
      learned
    } finally teaching.unlock()
}

object FilterState {

  /** What a policy makes of all that it has learned, where predicates are asked as in `current`. */
  def decide(policy: OrderPolicy, precedence: Precedence, current: Array[Int]): Learned = {
    val found = policy.order(current)
    // Whatever a policy comes up with, what may fail keeps behind its guards.
    val changed = !java.util.Arrays.equals(found, current) && precedence.allows(found)
    Learned(changed, if (changed) found else current, policy.passRates, policy.costs)
  }

  /**
   * What is known after a lesson.
   *
   * @param changed
   *   whether the order is another than before
   * @param passRates
   *   as [[OrderPolicy.passRates]]
   * @param costs
   *   as [[OrderPolicy.costs]], in nanoseconds
   */
  final case class Learned(
      changed: Boolean,
      order: Array[Int],
      passRates: Array[Double],
      costs: Array[Double])
}
