// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern._
import org.apache.spark.sql.catalyst.trees.TreePatternBits

import io.sparksieve.common.{Duplicates, RowOrder}
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Features, Guarded, OperatorDescription, Report}
import io.sparksieve.setop.proof.{Cache, SetOpContext}

/**
 * Walks a plan from the leaves up, subqueries and WITH definitions included, and tries each
 * [[SetOpRewrite]] on each operator. Bottom-up, so that a chain `X EXCEPT a EXCEPT b` folds: when
 * the outer EXCEPT is reached, its left side is already a filtered scan.
 *
 * Runs once; a rewritten plan has none of the operators that the rewrites look for, so a second run
 * changes nothing.
 *
 * @param rewrites
 *   in the order in which they are tried; each sees the result of those before it
 * @param context
 *   builds the context of a plan from the plan's WITH definitions; called once per plan
 */
private[sparksieve] class RewriteSetOperations(
    rewrites: Seq[SetOpRewrite],
    context: (() => Seq[CTERelationDef]) => SetOpContext)
    extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!mayAct(plan)) plan
    else {
      val ctx = context(() => definitions(plan))
      if (SieveConf.setopEnabled(ctx.conf)) walk(plan, ctx) else plan
    }

  private def mayAct(plan: TreePatternBits): Boolean =
    plan.containsAnyPattern(
      EXCEPT,
      INTERSECT,
      UNION,
      LEFT_SEMI_OR_ANTI_JOIN,
      EXISTS_SUBQUERY,
      IN_SUBQUERY)

  private def definitions(plan: LogicalPlan): Seq[CTERelationDef] =
    plan.collectWithSubqueries { case d: CTERelationDef => d }

  private def walk(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan =
    if (!mayAct(plan)) plan
    // The plan was cached unrewritten: by CACHE TABLE on Spark 3.5, or while Sieve was off.
    else if (ctx.cache(plan) != Cache.Miss) plan
    else if (ctx.random) cachedAlone(plan, ctx).getOrElse(rewritten(plan, ctx))
    else rewritten(plan, ctx)

  private def rewritten(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = {
    val inner = if (RowOrder.matters(plan)) ctx.belowRandom else ctx
    val below = plan match {
      // UNION DISTINCT is one operation: its inner UNION ALL gets no verdict of its own.
      case Duplicates(u: Union) => plan.withNewChildren(Seq(walkNest(u, isAll = false, inner)))
      case u: Union => walkSides(u, isAll = true, inner)
      case _ => plan.mapChildren(walk(_, inner))
    }
    val inside = below.transformExpressionsWithPruning(_.containsPattern(PLAN_EXPRESSION)) {
      case s: SubqueryExpression =>
        val rewritten = walk(s.plan, ctx.apart)
        if (rewritten eq s.plan) s else s.withNewPlan(rewritten)
    }
    rewrites.foldLeft(inside) { (current, rewrite) =>
      Guarded(Features.SetOp, rewrite.name, OperatorDescription(current), current)(
        rewrite(current, inner))
    }
  }

  /**
   * The plan rewritten as if no operator were above it, if that form is in the cache. A cached plan
   * was rewritten on its own, possibly differently than here, and Spark would not find it under
   * another rewrite.
   */
  private def cachedAlone(plan: LogicalPlan, ctx: SetOpContext): Option[LogicalPlan] =
    if (ctx.cache.isEmpty) None
    else {
      val (alone, _) = Report.collecting(rewritten(plan, ctx.apart))
      Some(alone).filter(ctx.cache(_) != Cache.Miss)
    }

  /** SQL nests a union of many sides: one operation, reported at the outermost union. */
  private def walkSides(u: Union, isAll: Boolean, ctx: SetOpContext): LogicalPlan =
    u.mapChildren(walkNest(_, isAll, ctx))

  /** Walks a side of a union, which may be a union itself. A cached side is left as it is. */
  private def walkNest(side: LogicalPlan, isAll: Boolean, ctx: SetOpContext): LogicalPlan =
    side match {
      case _ if ctx.cache(side) != Cache.Miss => side
      case u: Union => cachedAlone(u, ctx).getOrElse(walkSides(u, isAll, ctx))
      case d @ Duplicates(u: Union) if !isAll =>
        cachedAlone(d, ctx).getOrElse(d.withNewChildren(Seq(walkNest(u, isAll, ctx))))
      case _ => walk(side, ctx)
    }
}

private[sparksieve] object RewriteSetOperations {

  /** The feature's rewrites: filters first, counting for the rest, then the guards. */
  val Rewrites: Seq[SetOpRewrite] = Seq(
    ReplaceExceptWithNotFilter,
    ReplaceIntersectWithFilter,
    ReplaceUnionWithFilter,
    ReplaceAntiJoinWithNotFilter,
    ReplaceSemiJoinWithFilter,
    ReplaceSetOpWithCounts,
    KeepSnapshotsApart,
    LowerUnsafeExcept
  )
}
