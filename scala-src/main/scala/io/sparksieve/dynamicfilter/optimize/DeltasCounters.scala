// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.sparksieve.common.order.RowOrder

/**
 * The counters that Delta puts into the queries of a MERGE, for the numbers in the table's history:
 * expressions that return what their child returns, and count the rows for which they are evaluated.
 * They are not deterministic only so that Spark evaluates them where they are.
 */
private[dynamicfilter] object DeltasCounters {

  /** Whether a plan has such counters. */
  def in(plan: LogicalPlan): Boolean = plan.exists(_.expressions.exists(_.exists(isCounter)))

  /** The same rows without counters: a copy that is read for its keys must not count them again. */
  def without(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions(uncounted)

  /**
   * Whether an operator depends on the order or the partitions of its rows by nothing but counters,
   * which depend on neither.
   */
  def areAllThatMatters(operator: LogicalPlan): Boolean =
    !RowOrder.matters(operator.transformExpressions(uncounted))

  private val uncounted: PartialFunction[Expression, Expression] = {
    case counter if isCounter(counter) => counter.children.head
  }

  // By name: Delta is not on Sieve's class path.
  private def isCounter(e: Expression) =
    e.getClass.getName == "org.apache.spark.sql.delta.metric.IncrementMetric"
}
