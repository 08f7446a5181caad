package io.sparksieve.adaptivefilter

import org.apache.spark.SparkContext

/**
 * What is told of the order of a predicate's parts.
 *
 * @param below
 *   the same for each part whose own parts have an order, by its place
 */
private[adaptivefilter] final case class PartHistory(
    history: OrderHistory,
    below: Map[Int, PartHistory])

private[adaptivefilter] object PartHistory {

  /** New ones for the predicates whose parts have an order of their own, by their place. */
  def of(conjuncts: Seq[Conjunct], sc: SparkContext): Map[Int, PartHistory] =
    conjuncts.zipWithIndex.collect {
      case (c, k) if c.exclusions.nonEmpty =>
        k -> PartHistory(OrderHistory.registered(sc), of(c.exclusions, sc))
    }.toMap

  /**
   * What tasks need of the parts, as [[FilterHandle.parts]].
   *
   * @param key
   *   of the filter that `conjuncts` are
   */
  def handles(
      histories: Map[Int, PartHistory],
      conjuncts: Seq[Conjunct],
      key: String,
      settings: PolicySettings,
      told: OrderHistory => Told): Map[Int, FilterHandle] =
    histories.map { case (k, PartHistory(history, below)) =>
      val parts = conjuncts(k).exclusions
      val own = s"$key $k"
      k -> new FilterHandle(
        own,
        Precedence.of(parts),
        settings,
        told(history),
        handles(below, parts, own, settings, told))
    }
}
