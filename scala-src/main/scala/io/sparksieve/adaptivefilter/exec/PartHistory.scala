// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.exec

import org.apache.spark.SparkContext

import io.sparksieve.adaptivefilter.learn.{FilterMetrics, OrderHistory}
import io.sparksieve.adaptivefilter.predicate.{Conjunct, Precedence}
import io.sparksieve.adaptivefilter.run.FilterHandle
import io.sparksieve.conf.PolicySettings

/**
 * The history of the order of a predicate's parts.
 *
 * @param below
 *   the histories of those parts whose own parts have an order, by position
 */
private[adaptivefilter] final case class PartHistory(
    history: OrderHistory,
    below: Map[Int, PartHistory])

private[adaptivefilter] object PartHistory {

  /** New histories for the predicates whose parts have an order of their own, by position. */
  def of(conjuncts: Seq[Conjunct], sc: SparkContext): Map[Int, PartHistory] =
    conjuncts.zipWithIndex.collect {
      case (c, k) if c.exclusions.nonEmpty =>
        k -> PartHistory(OrderHistory.registered(sc), of(c.exclusions, sc))
    }.toMap

  /**
   * The handles of the parts, as in [[FilterHandle.parts]].
   *
   * @param key
   *   the key of the filter whose predicates are `conjuncts`
   */
  def handles(
      histories: Map[Int, PartHistory],
      conjuncts: Seq[Conjunct],
      key: String,
      settings: PolicySettings,
      metricsOf: OrderHistory => FilterMetrics): Map[Int, FilterHandle] =
    histories.map { case (k, PartHistory(history, below)) =>
      val parts = conjuncts(k).exclusions
      val own = s"$key $k"
      k -> new FilterHandle(
        own,
        Precedence.of(parts),
        settings,
        metricsOf(history),
        handles(below, parts, own, settings, metricsOf))
    }
}
