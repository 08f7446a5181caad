// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import scala.collection.mutable

import io.sparksieve.adaptivefilter.predicate.Precedence

/**
 * Finds the order of least expected cost over the last samples. A sample holds the results of all
 * predicates for each row, not just a pass rate for each predicate, so the policy knows which
 * predicates drop the same rows. For few predicates it compares all orders. For more, it repeatedly
 * takes the predicate that drops the most of the remaining rows for its cost (A-Greedy of Babu et
 * al., computed from the sampled results themselves).
 *
 * A predicate's cost is the least of the last samples, because disturbances (other threads, garbage
 * collection, code that is not compiled yet) only ever increase a measurement. A new order must be
 * better by [[GreedyPolicy.Better]], or random differences between measurements would swap
 * predicates of equal cost.
 *
 * Older results are forgotten as soon as the latest ones show that the data has changed. If the
 * policy waited until they are outnumbered, the order would be wrong for half the window. The
 * measured costs are not forgotten with the results.
 */
private[adaptivefilter] final class GreedyPolicy(precedence: Precedence) extends OrderPolicy {
  import GreedyPolicy._

  private val n = precedence.size
  private val samples = mutable.Queue.empty[Sample]
  // The number of latest samples whose results count.
  private var alike = 0

  override def learn(sample: Sample): Unit = {
    samples.enqueue(sample)
    while (samples.size > Window) samples.dequeue()
    alike = math.min(alike + 1, Window)
    if (alike >= 2 * Fresh && hasDrifted) alike = Fresh
  }

  /** Whether the latest samples differ from those before by more than chance. */
  private def hasDrifted: Boolean = {
    val (old, fresh) = answers.splitAt(alike - Fresh)
    (0 until n).exists { k =>
      def sum(samples: Iterable[Sample], of: Sample => Array[Long]) =
        samples.iterator.map(of(_)(k)).sum.toDouble
      val (m1, m2) = (sum(old, _.evaluations), sum(fresh, _.evaluations))
      val (cut1, cut2) = (sum(old, _.cuts), sum(fresh, _.cuts))
      val both = (cut1 + cut2) / (m1 + m2)
      // The standard deviation of the difference of two proportions, by the normal distribution.
      // Without evaluations it is NaN, and the comparison below is false.
      val deviation = math.sqrt(both * (1 - both) * (1 / m1 + 1 / m2))
      math.abs(cut1 / m1 - cut2 / m2) > math.max(Deviations * deviation, LeastDrift)
    }
  }

  private def answers = samples.takeRight(alike)

  override def order(current: Array[Int]): Array[Int] =
    if (samples.isEmpty) current
    else {
      val expected = expectedCost
      val best = if (n <= MostExhaustive) expected.best else expected.greedy
      if (expected.of(best) * (1 + Better) < expected.of(current)) best else current
    }

  private def expectedCost = {
    val known = costs
    val dearest = known.filterNot(_.isNaN).foldLeft(1.0)(math.max)
    val rates = passRates
    new ExpectedCost(
      precedence,
      answers.flatMap(_.dropped).toArray,
      known.map(c => if (c.isNaN) dearest else c),
      Array.tabulate(n)(k => if (rates(k).isNaN) UnknownRate else rates(k)),
      isSampled = k => answers.forall(s => s.rows == 0 || (s.sampled >> k & 1L) == 1)
    )
  }

  override def passRates: Array[Double] = Array.tabulate(n) { k =>
    val evaluated = answers.iterator.map(_.evaluations(k)).sum
    if (evaluated == 0) Double.NaN else 1 - answers.iterator.map(_.cuts(k)).sum.toDouble / evaluated
  }

  override def costs: Array[Double] = Array.tabulate(n) { k =>
    val each = samples.iterator
      .filter(s => s.evaluations(k) >= FewestTimed)
      .map(s => s.nanos(k).toDouble / s.evaluations(k))
    val any = samples.iterator
      .filter(_.evaluations(k) > 0)
      .map(s => s.nanos(k).toDouble / s.evaluations(k))
    if (each.hasNext) each.min else if (any.hasNext) any.min else Double.NaN
  }
}

private object GreedyPolicy {

  /** The number of samples that count; older ones are forgotten, so the order follows the data. */
  private val Window = 16

  /** The number of latest samples; if they differ from those before, only they are kept. */
  private val Fresh = 2

  /**
   * The number of standard deviations beyond which results do not differ by chance; so many because
   * similar rows are clustered.
   */
  private val Deviations = 8

  /** The least change of a predicate's pass rate for which older results are forgotten. */
  private val LeastDrift = 0.1

  /** How much more the current order must cost than a new one, as a share of the new one. */
  private val Better = 0.05

  /** The most predicates for which all orders are compared; each one more doubles the work. */
  private val MostExhaustive = 10

  /**
   * The fewest evaluations for a reliable cost; with fewer, reading the clock takes too large a
   * part of the time.
   */
  private val FewestTimed = 16

  private val UnknownRate = 0.5
}
