// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.plans.logical.{EmptyRelation, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{EmptyRelationExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{LogicalQueryStage, QueryStageExec}
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec

/**
 * Keeps a plan with dynamic filters a tree, so that it can be shown.
 *
 * Where adaptive execution finds that a part of a query has no rows, it plans an EmptyRelationExec,
 * which holds the part that it replaces, only to show it: with the stages that already exist.
 * Exchanges over two such operators are equal, whatever they hold, and one of them is reused for
 * the other. So the exchange of a filter's keys may hold a stage that has the filter itself:
 * {{{
 *   Exchange <-----------------------------------.
 *   +- DynamicFilter v IN keys                   |
 *      :  +- CollectKeys a                       |
 *      :     +- ReusedExchange -> Exchange       |
 *      :                          +- EmptyRelation
 *      +- FileScan [v]               +- Join a = v
 * }}}
 * Whoever walks that plan, as Spark does for its UI at each change, never ends. This rule puts the
 * logical plans of the stages in the place of those stages that have a dynamic filter.
 */
private[sparksieve] object HideEliminatedStages extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
    case empty @ EmptyRelationExec(part) if part != null && hasFilter(part) =>
      empty.copy(logical = withoutStages(part))
  }

  private def hasFilter(part: LogicalPlan): Boolean = part.exists {
    case LogicalQueryStage(_, physical) => filters(physical)
    case EmptyRelation(inner) => hasFilter(inner)
    case _ => false
  }

  private def filters(plan: SparkPlan): Boolean = plan.exists {
    case stage: QueryStageExec => filters(stage.plan)
    case ReusedExchangeExec(_, exchange) => filters(exchange)
    case EmptyRelationExec(part) => part != null && hasFilter(part)
    case other => other.subqueries.exists(_.isInstanceOf[KeysSubqueryExec])
  }

  private def withoutStages(part: LogicalPlan): LogicalPlan = part match {
    case LogicalQueryStage(original, _) => withoutStages(original)
    case EmptyRelation(inner) => EmptyRelation(withoutStages(inner))
    case other => other.mapChildren(withoutStages)
  }
}
