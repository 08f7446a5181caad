// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}

import io.sparksieve.common.NotPushed
import io.sparksieve.setop.proof.Pruning

/**
 * The negation of a condition that a rewrite puts above a plan. Spark writes `NOT (a AND x)` as an
 * OR, and if the plan's own filter is an OR with a term in common, makes one OR of the two:
 * {{{
 *   (a OR b) AND (a OR x)  =>  a OR (b AND x)
 * }}}
 * If a data source does not accept `x`, it then gets nothing, and reads what the plan's own filter
 * would have skipped.
 */
private[rewrite] object Negated {

  def apply(condition: Expression, plan: LogicalPlan): Expression =
    if (isPartlyPushable(condition) && filtersByOr(plan)) NotPushed(Not(condition))
    else Not(condition)

  private def isPartlyPushable(condition: Expression) = condition match {
    case _: And => !Pruning.isPushable(condition)
    case _ => false
  }

  private def filtersByOr(plan: LogicalPlan) = plan.exists {
    case Filter(condition, _) => condition.exists(_.isInstanceOf[Or])
    case _ => false
  }
}
