// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common.order

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.plans.logical._

/**
 * Finds an operator that depends on the partitions of its rows, such as one that numbers them, and
 * whose rows may come from a shuffle. Adaptive execution merges, splits and replaces the partitions
 * of all shuffles that a stage reads, by the sizes of all of them. So a rewrite that makes one
 * shuffle smaller may change the partitions of another, in a part of the query that has nothing to
 * do with the rewrite.
 */
private[sparksieve] object SeesPartitions {

  /**
   * The first such operator of a query.
   *
   * @param operators
   *   the operators that may run in one plan, before they are optimized or after
   * @param isRandom
   *   whether an operator depends on the order or the partitions of its rows
   */
  def in(operators: Seq[LogicalPlan])(isRandom: LogicalPlan => Boolean): Option[LogicalPlan] =
    operators.find { operator =>
      isRandom(operator) &&
      (mayShuffle(operator) || operator.children.exists(_.exists(mayShuffle)))
    }

  // Others, which Spark or a library may add, are assumed to shuffle.
  private def mayShuffle(plan: LogicalPlan): Boolean = plan match {
    // A definition may have any operators.
    case _: CTERelationRef => true
    case _: LeafNode | _: SubqueryAlias | _: View | _: BaseEvalPython => false
    case _: Project | _: Filter | _: Generate | _: Expand | _: Sample | _: Union =>
      plan.expressions.exists { e =>
        // These become joins.
        SubqueryExpression.hasInOrCorrelatedExistsSubquery(e) ||
        SubqueryExpression.hasCorrelatedSubquery(e)
      }
    case _ => true
  }
}
