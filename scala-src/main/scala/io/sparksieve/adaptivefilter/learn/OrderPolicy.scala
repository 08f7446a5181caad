// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import io.sparksieve.adaptivefilter.predicate.Precedence
import io.sparksieve.conf.PolicySettings

/**
 * Learns from samples in which order predicates should be evaluated. An instance serves one filter
 * in one executor or in one task. Not thread-safe.
 */
private[adaptivefilter] trait OrderPolicy {

  /** Learns from a sample. */
  def learn(sample: Sample): Unit

  /** The order to use from now on, which may be `current` itself. */
  def order(current: Array[Int]): Array[Int]

  /** For each predicate, the share of evaluated rows that pass; NaN if not known. */
  def passRates: Array[Double]

  /** For each predicate, the nanoseconds of one evaluation; NaN if not known. */
  def costs: Array[Double]
}

private[adaptivefilter] object OrderPolicy {

  def apply(settings: PolicySettings, precedence: Precedence): OrderPolicy = settings.policy match {
    case PolicySettings.Rank => new RankPolicy(precedence, settings.momentum)
    case _ => new GreedyPolicy(precedence)
  }
}
