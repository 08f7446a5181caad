// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.plans.logical._

/**
 * Recognises operators that evaluate nothing but their expressions. Others call a function of the
 * user, or a program, that is in no expression.
 */
private[setop] object OnlyExpressions {

  def apply(plan: LogicalPlan): Boolean = plan match {
    case _: LeafNode | _: Project | _: Filter | _: Generate | _: Expand => true
    case _: Aggregate | _: Window | _: Distinct | _: Deduplicate => true
    case _: Sort | _: RepartitionOperation | _: RebalancePartitions => true
    case _: GlobalLimit | _: LocalLimit | _: Offset | _: Tail | _: Sample => true
    case _: Join | _: LateralJoin | _: Union | _: SetOperation => true
    case _: SubqueryAlias | _: View | _: ResolvedHint | _: ReturnAnswer => true
    case _: CTERelationDef | _: WithCTE | _: CollectMetrics | _: Subquery => true
    case _: Command => true
    case _ => false
  }
}
