package io.sparksieve.adaptivefilter

import scala.collection.mutable

/**
 * The order of least expected cost over the last samples, whole rows of answers and not a rate for
 * each predicate, so that predicates which drop the same rows are known for it. The best of all
 * orders for few predicates; for more, one after the other is taken that drops the most rows for
 * its cost among those that are left (A-Greedy of Babu et al., from the answers themselves).
 *
 * A predicate's cost is the least of the last samples: a measurement is only ever disturbed
 * upwards, by other threads, garbage collection, or code that is not compiled yet. A new order must
 * be better by [[GreedyPolicy.Better]], or measurements that differ by chance would swap
 * predicates that cost the same.
 *
 * Answers of before are forgotten as soon as the latest ones cannot be of the same data: an order
 * that waits until they are outnumbered is the wrong one for half the window. What an evaluation
 * costs is not forgotten with them.
 */
final class GreedyPolicy(precedence: Precedence) extends OrderPolicy {
  import GreedyPolicy._

  private val n = precedence.size
  private val samples = mutable.Queue.empty[Sample]
  // Of the last samples, those whose answers count.
  private var alike = 0

  override def learn(sample: Sample): Unit = {
    samples.enqueue(sample)
    while (samples.size > Window) samples.dequeue()
    alike = math.min(alike + 1, Window)
    if (alike >= 2 * Fresh && hasDrifted) alike = Fresh
  }

  /** Whether the last samples differ from those before by more than chance. */
  private def hasDrifted: Boolean = {
    val (old, fresh) = answers.splitAt(alike - Fresh)
    (0 until n).exists { k =>
      def sum(samples: Iterable[Sample], of: Sample => Array[Long]) =
        samples.iterator.map(of(_)(k)).sum.toDouble
      val (m1, m2) = (sum(old, _.evaluations), sum(fresh, _.evaluations))
      val (cut1, cut2) = (sum(old, _.cuts), sum(fresh, _.cuts))
      val both = (cut1 + cut2) / (m1 + m2)
      // Of proportions, by the normal distribution; with no evaluations nothing is greater than NaN.
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
    val asked = answers.iterator.map(_.evaluations(k)).sum
    if (asked == 0) Double.NaN else 1 - answers.iterator.map(_.cuts(k)).sum.toDouble / asked
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

  /** Samples that count; older ones are forgotten, so that the order follows the data. */
  private val Window = 16

  /** The latest samples, which may be of other data than those before. */
  private val Fresh = 2

  /** Standard deviations beyond which answers do not differ by chance; rows lie in clusters. */
  private val Deviations = 8

  /** A change of a predicate's pass rate that is worth forgetting what was. */
  private val LeastDrift = 0.1

  /** A share by which a new order must be cheaper. */
  private val Better = 0.05

  /** With so many predicates all orders are compared; the work doubles with each. */
  private val MostExhaustive = 10

  /** Of fewer evaluations the clock's own time is too large a part. */
  private val FewestTimed = 16

  private val UnknownRate = 0.5
}
