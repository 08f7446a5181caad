package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression

import io.sparksieve.common.{RespectsEquality, TakenForSame}
import io.sparksieve.report.Reason

/**
 * What must hold of the sides, seen down to their lowest common plan, before a condition of one of
 * them may stand beside conditions of the other, or above a grouping, without Spark's optimizer
 * changing its meaning:
 *
 *   1. every condition respects the equality of the columns that it reads
 *      ([[Reason.TellsEqualValuesApart]]). Spark replaces `d` in `cast(d AS STRING) = '-0.0'` by
 *      the constant of `d = 0.0` beside it, infers from `d = e` that it holds for `e`, and pushes it
 *      below a grouping by `d`, where there are two zeros still. In the side that it came from, it
 *      may have had no such neighbour;
 *   1. where the common plan is more than a leaf, as a grouping, so do the columns and all that it
 *      computes above: a condition on `cast(d AS STRING) AS s` is one on d once it is pushed;
 *   1. Spark takes no expression of one side for another one of the other side
 *      ([[Reason.TakenForSame]]).
 */
object Exactness {

  /** Why the sides may not be brought together, if so. */
  def obstacle(lowest: CommonSource): Option[Reason] = {
    val (left, right) = (lowest.left, lowest.right)
    val conditions = left.conditions ++ right.conditions.filterNot(Branch.isCorrelated)
    val computed =
      if (left.plan.children.isEmpty) Nil
      else
        (left.outputs ++ right.outputs ++ left.plan.flatMap(_.expressions)).filterNot(isAggregate)
    if (!(conditions ++ computed.map(value)).forall(RespectsEquality(_))) {
      Some(Reason.TellsEqualValuesApart)
    } else if (TakenForSame(left.conditions ++ left.outputs, right.conditions ++ right.outputs)) {
      Some(Reason.TakenForSame)
    } else None
  }

  // No condition on what an aggregate function yields can be pushed below the grouping.
  private def isAggregate(e: Expression) = e.exists(_.isInstanceOf[AggregateExpression])

  private def value(e: Expression) = e match {
    case Alias(child, _) => child
    case other => other
  }
}
