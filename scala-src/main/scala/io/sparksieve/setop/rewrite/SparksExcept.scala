// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.optimizer.{RemoveNoopOperators, ReplaceExceptWithFilter}
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

import io.sparksieve.common.SamePlan
import io.sparksieve.setop.proof.{InlineRows, SetOpContext}

/**
 * What Spark itself makes of an EXCEPT a moment later. Its `ReplaceExceptWithFilter` looks at the
 * plans of both sides, so a rewrite within a side can change what that rule does: a semi-join that
 * has become a filter makes both sides filters of one relation, and then the rule maps columns by
 * name, which is wrong or fails where an alias has the name of a column.
 */
private[rewrite] object SparksExcept {

  /**
   * Whether Spark may replace `e` by a filter. This is what Spark does where the sides consist of
   * operators that Spark leaves as they are until then. Elsewhere it overestimates: Spark has
   * removed some operators, such as unions with an empty side, and has put definitions into the
   * sides.
   */
  def mayFilter(e: Except, ctx: SetOpContext): Boolean =
    isCandidate(e, ctx) && {
      val inlined = plain(e)
      if (isSimple(inlined)) isReplaced(inlined) || isReplaced(RemoveNoopOperators(inlined))
      else
        ctx.query.withDefinitions(e.right).exists(_.exists(_.isInstanceOf[Filter])) && share(e, ctx)
    }

  /** As [[mayFilter]], whatever becomes of the definitions that `e` reads. */
  def mayFilterRewritten(e: Except, ctx: SetOpContext): Boolean =
    isCandidate(e, ctx) && share(e, ctx)

  /** The anti-join that Spark plans for every EXCEPT that it does not replace by a filter. */
  def antiJoin(e: Except): LogicalPlan = {
    val equal: Seq[Expression] =
      e.left.output.zip(e.right.output).map { case (l, r) => EqualNullSafe(l, r) }
    Distinct(Join(e.left, e.right, LeftAnti, equal.reduceOption(And(_, _)), JoinHint.NONE))
  }

  private def isCandidate(e: Except, ctx: SetOpContext) =
    !e.isAll && ctx.conf.replaceExceptWithFilter

  private def isReplaced(plan: LogicalPlan) = plan match {
    case e: Except => !ReplaceExceptWithFilter(e).isInstanceOf[Except]
    case _ => false
  }

  /** Whether Spark might take a leaf of the left side for one of the right side. */
  private def share(e: Except, ctx: SetOpContext) = {
    def leaves(side: LogicalPlan) = ctx.query.withDefinitions(side).flatMap(_.collectLeaves())
    val (left, right) = (leaves(e.left), leaves(e.right))
    def haveRows(side: Seq[LogicalPlan]) = side.exists(InlineRows(_))
    val known = left.map(_.canonicalized).toSet
    right.exists(leaf => known(leaf.canonicalized)) || (haveRows(left) && haveRows(right))
  }

  private def plain(plan: LogicalPlan): LogicalPlan =
    SamePlan.plain(plan).mapChildren(plain)

  private def isSimple(plan: LogicalPlan): Boolean = !plan.exists {
    case _: LogicalRelation | _: DataSourceV2Relation => false
    case node @ (_: Project | _: Filter | _: Join) => node.expressions.exists(mayChange)
    case e: Except => e ne plan
    case _ => true
  }

  // Spark evaluates such expressions before, such as `current_database()`, so two of them can become
  // the same. A function that Spark replaces is the same as its replacement already.
  private def mayChange(expression: Expression) = expression.exists {
    case _: SubqueryExpression => true
    case _: Attribute | _: Literal => false
    case leaf => leaf.children.isEmpty
  }
}
