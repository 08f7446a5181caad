// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningSubquery, ExprId}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.DYNAMIC_PRUNING_SUBQUERY
import org.apache.spark.sql.internal.SQLConf

/**
 * Spark's own pruning of partitions in a query, by the rows of a join's side. Spark adds it for any
 * join, and drops it unless that join broadcasts the very side.
 *
 * @param root
 *   the whole plan, before it has filters of Sieve's
 */
private[dynamicfilter] final class SparksPruning(root: LogicalPlan, conf: SQLConf) {

  private lazy val kept: Seq[DynamicPruningSubquery] =
    if (!root.containsPattern(DYNAMIC_PRUNING_SUBQUERY)) Nil
    else {
      val joins = root.collect { case join: Join if !BroadcastJoin.isNestedLoop(join) => join }
      val broadcasts = joins.flatMap { join =>
        val side = BroadcastJoin.side(join, conf)
        JoinDirection.of(join).filter(d => side.contains(d.buildSide)).map(_.build)
      }
      in(root).filter(p => broadcasts.exists(_.sameResult(p.buildQuery)))
    }

  /** Whether Spark prunes by this subquery. */
  def keeps(pruning: DynamicPruningSubquery): Boolean = kept.exists(_.exprId == pruning.exprId)

  /** The ids of the subqueries by which Spark prunes partitions in a part of the plan. */
  def within(part: LogicalPlan): Set[ExprId] =
    if (kept.isEmpty) Set.empty else in(part).filter(keeps).map(_.exprId).toSet

  /**
   * Whether Spark prunes partitions elsewhere by the rows of `side`. With a filter of Sieve's in it,
   * it would not be the side that Spark looks for, and Spark would drop the pruning.
   */
  def reads(side: LogicalPlan): Boolean = kept.exists(_.buildQuery.sameResult(side))

  private def in(part: LogicalPlan): Seq[DynamicPruningSubquery] = part.collect {
    case _: DynamicFilter => Nil
    case other =>
      other.expressions.flatMap(_.collect {
        case pruning: DynamicPruningSubquery if pruning.onlyInBroadcast => pruning
      })
  }.flatten
}
