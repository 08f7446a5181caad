// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import io.sparksieve.adaptivefilter.predicate.Precedence

/**
 * The policy of the report on adaptive filter ordering in Spark (Nikolaidis, Gounaris). A
 * predicate's rank is its cost, as a share of the cost of the costliest predicate, divided by the
 * share of rows that it drops. Momentum keeps a share of the previous rank. Predicates are
 * evaluated in ascending rank.
 */
private[adaptivefilter] final class RankPolicy(precedence: Precedence, momentum: Double)
    extends OrderPolicy {

  private val n = precedence.size
  private val evaluated = new Array[Long](n)
  private val cut = new Array[Long](n)
  private val nanos = new Array[Long](n)
  private val ranks = Array.fill(n)(Double.NaN)
  private val lastRates = Array.fill(n)(Double.NaN)
  private val lastCosts = Array.fill(n)(Double.NaN)

  override def learn(sample: Sample): Unit = (0 until n).foreach { k =>
    evaluated(k) += sample.evaluations(k)
    cut(k) += sample.cuts(k)
    nanos(k) += sample.nanos(k)
  }

  override def order(current: Array[Int]): Array[Int] = {
    val known = (0 until n).filter(evaluated(_) > 0)
    if (known.isEmpty) current
    else {
      known.foreach { k =>
        lastRates(k) = 1 - cut(k).toDouble / evaluated(k)
        lastCosts(k) = nanos(k).toDouble / evaluated(k)
      }
      val costliest = known.map(lastCosts(_)).max.max(Double.MinPositiveValue)
      known.foreach { k =>
        val rank = math.min(lastCosts(k) / costliest / (1 - lastRates(k)), RankPolicy.Last)
        ranks(k) = if (ranks(k).isNaN) rank else momentum * ranks(k) + (1 - momentum) * rank
      }
      // Each calculation uses only the rows since the previous calculation.
      Seq(evaluated, cut, nanos).foreach(java.util.Arrays.fill(_, 0L))
      precedence.byRank(ranks.map(r => if (r.isNaN) RankPolicy.Last else r))
    }
  }

  override def passRates: Array[Double] = lastRates.clone

  override def costs: Array[Double] = lastCosts.clone
}

private object RankPolicy {

  // The rank of a predicate that drops no rows; finite, so that momentum lets the rank fall again.
  private val Last = 1e9
}
