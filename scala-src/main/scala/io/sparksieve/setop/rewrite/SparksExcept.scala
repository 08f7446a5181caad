// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Alias, And, EqualNullSafe, Expression}
import org.apache.spark.sql.catalyst.optimizer.{RemoveNoopOperators, ReplaceExceptWithFilter}
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.SamePlan
import io.sparksieve.setop.proof.SetOpContext

/**
 * What Spark itself makes of an EXCEPT a moment later. Its `ReplaceExceptWithFilter` looks at the
 * plans of both sides, so a rewrite within a side can change what that rule does: a semi-join that
 * has become a filter makes both sides filters of one relation, and then the rule maps columns by
 * name, which is wrong or fails where an alias has the name of a column.
 */
private[rewrite] object SparksExcept {

  /** Whether Spark replaces `e` by a filter if the definitions are as in `ctx`. */
  def isFiltered(e: Except, ctx: SetOpContext): Boolean =
    !e.isAll && ctx.conf.replaceExceptWithFilter && {
      val (asRead, inlined) = (plain(e, Map.empty), plain(e, ctx.ctes))
      Seq(asRead, inlined).distinct.exists { plan =>
        isReplaced(plan) || isReplaced(RemoveNoopOperators(plan))
      }
    }

  /** The anti-join that Spark plans for every EXCEPT that it does not replace by a filter. */
  def antiJoin(e: Except): LogicalPlan = {
    val equal: Seq[Expression] =
      e.left.output.zip(e.right.output).map { case (l, r) => EqualNullSafe(l, r) }
    Distinct(Join(e.left, e.right, LeftAnti, equal.reduceOption(And(_, _)), JoinHint.NONE))
  }

  /** The definitions that `plan` reads, also through other definitions. */
  def definitions(plan: LogicalPlan, all: Map[Long, CTERelationDef]): Seq[CTERelationDef] = {
    val read = plan
      .collectWithSubqueries { case r: CTERelationRef => r.cteId }
      .distinct
      .flatMap(all.get(_))
    // A recursive definition refers to itself.
    val others = all -- read.map(_.id)
    (read ++ read.flatMap(d => definitions(d.child, others))).distinct
  }

  private def isReplaced(plan: LogicalPlan) = plan match {
    case e: Except => !ReplaceExceptWithFilter(e).isInstanceOf[Except]
    case _ => false
  }

  // Without what Spark has removed by then.
  private def plain(plan: LogicalPlan, ctes: Map[Long, CTERelationDef]): LogicalPlan =
    SamePlan.plain(plan) match {
      case r: CTERelationRef if ctes.contains(r.cteId) =>
        val child = ctes(r.cteId).child
        val columns = r.output.zip(child.output).map { case (own, other) =>
          Alias(other, own.name)(exprId = own.exprId, qualifier = own.qualifier)
        }
        Project(columns, plain(child, ctes - r.cteId))
      case wrapper: UnaryNode if wrapper.nodeName == "PipeOperator" => plain(wrapper.child, ctes)
      case other => other.mapChildren(plain(_, ctes))
    }
}
