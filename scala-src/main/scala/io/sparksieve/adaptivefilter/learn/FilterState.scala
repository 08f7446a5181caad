// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import java.util.concurrent.locks.ReentrantLock

import io.sparksieve.adaptivefilter.predicate.Precedence

/**
 * The order of one filter's predicates that the tasks of one executor share.
 *
 * One task at a time may update it. A task that finds it locked keeps its samples for its next
 * update; at the end of the task, when there is no next update, it waits for the lock.
 */
private[adaptivefilter] final class FilterState(precedence: Precedence, policy: OrderPolicy) {

  @volatile private var current = precedence.written
  private val updating = new ReentrantLock

  /** The current order. The array is never changed in place. */
  def order: Array[Int] = current

  /**
   * Learns from samples, and decides on the order again.
   *
   * @param waits
   *   whether to wait while another task updates this state
   * @return
   *   None if `waits` is false and another task is updating this state
   */
  def learn(samples: Seq[Sample], waits: Boolean): Option[FilterState.Learned] =
    if (waits) {
      updating.lock()
      Some(locked(samples))
    } else if (updating.tryLock()) Some(locked(samples))
    else None

  private def locked(samples: Seq[Sample]): FilterState.Learned =
    try {
      samples.foreach(policy.learn)
      val learned = FilterState.decide(policy, precedence, current)
      current = learned.order
      learned
    } finally updating.unlock()
}

private[adaptivefilter] object FilterState {

  /** Lets a policy decide on the order, given that predicates are now evaluated as in `current`. */
  def decide(policy: OrderPolicy, precedence: Precedence, current: Array[Int]): Learned = {
    val found = policy.order(current)
    // Checked for every policy: a predicate that can fail must stay after its guards.
    val changed = !java.util.Arrays.equals(found, current) && precedence.allows(found)
    Learned(changed, if (changed) found else current, policy.passRates, policy.costs)
  }

  /**
   * The result of an update.
   *
   * @param changed
   *   whether the order differs from the one before
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
