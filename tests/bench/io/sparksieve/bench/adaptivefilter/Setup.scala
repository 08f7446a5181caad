// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.adaptivefilter

import io.sparksieve.adaptivefilter.learn.FilterStates
import io.sparksieve.adaptivefilter.plan.PlanAdaptiveFilter
import io.sparksieve.bench.{QueryCase, Table, Variant}
import io.sparksieve.conf.SieveConf

/** Definitions that several groups of cases share. */
private[adaptivefilter] object Setup {

  val Rule: String = PlanAdaptiveFilter.Name

  /** The policy of the published prototype. */
  val Rank: Map[String, String] = Map(SieveConf.ADAPTIVE_FILTER_POLICY.key -> "rank")

  /** Disables the minimum gain, below which later runs use Spark's unmodified filter. */
  val AlwaysLearning: (String, String) = SieveConf.ADAPTIVE_FILTER_MIN_GAIN.key -> "0"

  /** A filter with its predicates in the given order, run by Spark and by the adaptive filter. */
  def filter(
      name: String,
      about: String,
      table: Table,
      predicates: Seq[String],
      target: Option[Double] = None,
      conf: Map[String, String] = Map.empty,
      others: Seq[Variant] = Nil): QueryCase = {
    val sql = query(table, predicates)
    QueryCase(
      name,
      about,
      Seq(table),
      sql,
      Rule,
      conf,
      Seq(Variant("rank", sql, Rank + (SieveConf.ENABLED.key -> "true"))) ++ others,
      target,
      expectApplied = None,
      physical = true,
      before = () => FilterStates.clear()
    )
  }

  /** The filter as the published prototype evaluates it. */
  def prototype(table: Table, predicates: Seq[String]): Variant =
    Variant.off(query(table, predicates), "prototype", Map(PlanPrototypeFilter.Switch -> "true"))

  /** The predicates in another order, as Spark runs them. */
  def static(name: String, table: Table, predicates: Seq[String]): Variant =
    Variant.off(query(table, predicates), name)

  private def query(table: Table, predicates: Seq[String]) =
    s"SELECT * FROM ${table.view} WHERE ${predicates.mkString(" AND ")}"
}
