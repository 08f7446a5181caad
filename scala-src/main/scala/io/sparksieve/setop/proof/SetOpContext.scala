// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.plans.logical.{CTERelationDef, LogicalPlan}
import org.apache.spark.sql.internal.SQLConf

/**
 * The inputs of a rewrite apart from the operator itself.
 *
 * @param conf
 *   the conf of the session that plans the query
 * @param cache
 *   the session's cache of results
 * @param query
 *   the query that the operator is part of
 * @param ordered
 *   whether the operator, or an operator above it, depends on the order and partitions of its input
 *   rows
 * @param untouched
 *   the ids of the definitions that are not rewritten
 */
private[sparksieve] final class SetOpContext(
    val conf: SQLConf,
    val cache: PlanCache = PlanCache.Empty,
    val query: WholeQuery = WholeQuery.Empty,
    ordered: Boolean = false,
    val untouched: Set[Long] = Set.empty) {

  /**
   * Whether rand() and samples would draw different rows from another plan: above the operator, or
   * beside it from a shuffle, whose partitions depend on other shuffles with adaptive execution.
   */
  lazy val random: Boolean =
    ordered || conf.adaptiveExecutionEnabled && query.seesPartitions

  /** The context in which the definitions with these ids are not rewritten. */
  def leaving(ids: Set[Long]): SetOpContext = copy(ordered, ids)

  /** The context below an operator that depends on the order of its rows. */
  def belowRandom: SetOpContext = withOrdered(true)

  /** The context of a subquery: only the set of its rows matters. */
  def apart: SetOpContext = withOrdered(false)

  private def withOrdered(value: Boolean) =
    if (value == ordered) this else copy(value, untouched)

  private def copy(ordered: Boolean, untouched: Set[Long]) =
    new SetOpContext(conf, cache, query, ordered, untouched)

  /** The WITH definitions by id. */
  def ctes: Map[Long, CTERelationDef] = query.ctes

  /** The definitions that `plan` reads, also through other definitions. */
  def definitionsOf(plan: LogicalPlan): Seq[CTERelationDef] = query.definitionsOf(plan)
}

/** A session's cache of results. */
private[setop] trait PlanCache {

  /** Looks up the cached result of a plan. */
  def apply(plan: LogicalPlan): Cache

  /** Whether the cache is empty. */
  def isEmpty: Boolean
}

private[setop] object PlanCache {

  object Empty extends PlanCache {
    override def apply(plan: LogicalPlan): Cache = Cache.Miss
    override def isEmpty: Boolean = true
  }
}

/** The outcome of a lookup in a session's cache. */
private[setop] sealed trait Cache extends Product with Serializable {

  /** Combines the outcomes for two plans: Stale before Hit, Hit before Miss; hits are united. */
  def or(other: Cache): Cache =
    (this, other) match {
      case (Cache.Stale, _) | (_, Cache.Stale) => Cache.Stale
      case (Cache.Hit(these), Cache.Hit(those)) =>
        Cache.Hit(these ++ those.filterNot(entry => these.exists(_ eq entry)))
      case (Cache.Miss, _) => other
      case _ => this
    }
}

private[setop] object Cache {

  /** The cache has no result of the plan. */
  case object Miss extends Cache

  /**
   * The cache has a result of the plan, computed from the same files that the plan would read now.
   *
   * @param entries
   *   identify the cached results; compared by identity
   */
  final case class Hit(entries: List[AnyRef]) extends Cache

  /** Spark would answer the plan from a cached result that was computed from other files. */
  case object Stale extends Cache
}
