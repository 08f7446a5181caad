// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import io.sparksieve.adaptivefilter.predicate.Precedence

/**
 * Computes the expected cost of orders of predicates from sampled rows.
 *
 * @param dropped
 *   for each sampled row, the set of predicates that drop it
 * @param costs
 *   nanoseconds of one evaluation of each predicate
 * @param passRates
 *   for predicates that were not sampled: the share of rows that pass, taken as independent of the
 *   other predicates
 */
private[adaptivefilter] final class ExpectedCost(
    precedence: Precedence,
    dropped: Array[Long],
    costs: Array[Double],
    passRates: Array[Double],
    isSampled: Int => Boolean) {

  private val n = precedence.size

  /** Nanoseconds to evaluate all sampled rows in an order. */
  def of(order: Array[Int]): Double = {
    var seen = 0L
    var sum = 0.0
    order.foreach { k =>
      sum += left(seen) * costs(k)
      seen |= 1L << k
    }
    sum
  }

  /** The order of least cost. Takes 2 to the power of [[Precedence.size]] steps. */
  def best: Array[Int] = {
    val sets = 1 << n
    val remaining = leftByAll(sets)
    // least(s): the least cost of all other predicates, once those of s have been evaluated.
    val least = new Array[Double](sets)
    val next = new Array[Int](sets)
    (sets - 2 to 0 by -1).foreach { s =>
      least(s) = Double.PositiveInfinity
      (0 until n).foreach { k =>
        if (precedence.isNext(k, s.toLong)) {
          val cost = remaining(s) * costs(k) + least(s | 1 << k)
          if (cost < least(s)) {
            least(s) = cost
            next(s) = k
          }
        }
      }
    }
    var s = 0
    Array.fill(n) {
      val k = next(s)
      s |= 1 << k
      k
    }
  }

  /** Takes, at each place, the predicate that drops the most remaining rows per nanosecond. */
  def greedy: Array[Int] = {
    var seen = 0L
    Array.fill(n) {
      val before = left(seen)
      val k = (0 until n).filter(precedence.isNext(_, seen)).minBy { k =>
        val drops = before - left(seen | 1L << k)
        // Predicates that drop none of the remaining rows come last, the cheaper first.
        if (before == 0 || drops <= 0) Double.MaxValue / 2 * (1 - 1 / (1 + costs(k)))
        else costs(k) / drops
      }
      seen |= 1L << k
      k
    }
  }

  /** [[left]] for every set at once: the rows that no predicate of the set drops. */
  private def leftByAll(sets: Int): Array[Double] = {
    val rows = new Array[Double](sets)
    dropped.foreach(d => rows(d.toInt) += 1)
    // Sums over subsets, a predicate at a time. Then rows(s) counts rows dropped only within s.
    (0 until n).foreach { k =>
      (0 until sets).foreach(s => if ((s >> k & 1) == 1) rows(s) += rows(s ^ 1 << k))
    }
    Array.tabulate(sets)(s => rows(sets - 1 - s) * unsampled(s.toLong))
  }

  /** The expected number of rows that no predicate of `seen` drops. */
  private def left(seen: Long): Double = {
    var count = 0.0
    dropped.foreach(d => if ((d & seen) == 0) count += 1)
    count * unsampled(seen)
  }

  private def unsampled(seen: Long): Double = {
    var share = 1.0
    (0 until n).foreach(k => if ((seen >> k & 1L) == 1 && !isSampled(k)) share *= passRates(k))
    share
  }
}
