// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression

import io.sparksieve.common.{RespectsEquality, TakenForSame}
import io.sparksieve.report.core.{Reason, Refusal}

/**
 * Checks that Spark's optimizer cannot change the meaning of a condition when a rewrite puts it
 * beside conditions of the other side, or above a grouping. Looks at the sides down to their lowest
 * common plan:
 *
 *   1. every condition respects the equality of the columns that it reads
 *      ([[Reason.TellsEqualValuesApart]]). Take `cast(d AS STRING) = '-0.0'`: beside `d = 0.0`,
 *      Spark replaces `d` by the constant; beside `d = e`, Spark infers the condition for `e`; and
 *      Spark pushes the condition below a grouping by `d`, where both zeros still exist. On its own
 *      side, the condition may have had no such neighbour;
 *   1. if the common plan is more than a leaf (a grouping, for example), the output columns and all
 *      expressions of that plan, except aggregates, respect the equality too: once pushed down, a
 *      condition on `cast(d AS STRING) AS s` is a condition on `d`;
 *   1. Spark does not mistake an expression of one side for a different expression of the other
 *      side ([[Reason.TakenForSame]]).
 */
private[proof] object Exactness {

  /** The reason why the sides may not be combined, if there is one. */
  def obstacle(lowest: CommonSource): Option[Refusal] = {
    val (left, right) = (lowest.left, lowest.right)
    val conditions = left.conditions ++ right.conditions.filterNot(Branch.isCorrelated)
    val computed =
      if (left.plan.children.isEmpty) Nil
      else
        // A condition on the result of an aggregate function cannot be pushed below the grouping.
        (left.outputs ++ right.outputs ++ left.plan.flatMap(_.expressions))
          .filterNot(AggregateExpression.containsAggregate)
    if (!(conditions ++ computed.map(value)).forall(RespectsEquality(_))) {
      Some(Reason.TellsEqualValuesApart)
    } else if (TakenForSame(left.expressions, right.expressions)) {
      Some(Reason.TakenForSame)
    } else None
  }

  private def value(e: Expression) = e match {
    case Alias(child, _) => child
    case other => other
  }
}
