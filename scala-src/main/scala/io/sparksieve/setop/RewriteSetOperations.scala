package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern._
import org.apache.spark.sql.catalyst.trees.TreePatternBits

import io.sparksieve.SieveConf
import io.sparksieve.common.RowOrder
import io.sparksieve.report.Guarded

/**
 * Walks a plan from the leaves up, subqueries and WITH definitions included, and tries each
 * [[SetOpRewrite]] on each operator. Bottom-up, so that a chain `X EXCEPT a EXCEPT b` folds: when
 * the outer EXCEPT is reached its left side is a filtered scan already.
 *
 * Runs once; a rewritten plan has none of the operators that the rewrites look for, so a second
 * run changes nothing.
 *
 * @param rewrites
 *   in the order in which they are tried; once one has replaced an operator, the next see what it
 *   became
 * @param context
 *   made anew for each plan from the plan's WITH definitions
 */
class RewriteSetOperations(
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
    // Cached as it was written: by CACHE TABLE on Spark 3.5, or while Sieve was off.
    else if (ctx.cache(plan) != Cache.Miss) plan
    else {
      val inner = if (RowOrder.matters(plan)) ctx.belowRandom else ctx
      val below = plan match {
        // One operation, UNION DISTINCT: its inner UNION ALL is not a place of its own.
        case Duplicates(u: Union) if ctx.cache(u) == Cache.Miss =>
          plan.withNewChildren(Seq(walkSides(u, isAll = false, inner)))
        case u: Union => walkSides(u, isAll = true, inner)
        case _ => plan.mapChildren(walk(_, inner))
      }
      val inside = below.transformExpressionsWithPruning(_.containsPattern(PLAN_EXPRESSION)) {
        case s: SubqueryExpression =>
          val rewritten = walk(s.plan, ctx.apart)
          if (rewritten eq s.plan) s else s.withNewPlan(rewritten)
      }
      rewrites.foldLeft(inside) { (current, rewrite) =>
        Guarded(SetOpRewrite.Room, rewrite.name, Place(current), current)(rewrite(current, inner))
      }
    }

  /** SQL nests a union of many sides: the nest is one operation, and the outermost its place. */
  private def walkSides(u: Union, isAll: Boolean, ctx: SetOpContext): LogicalPlan =
    u.mapChildren {
      case side if ctx.cache(side) != Cache.Miss => side
      case inner: Union => walkSides(inner, isAll, ctx)
      case d @ Duplicates(inner: Union) if !isAll =>
        d.withNewChildren(Seq(walkSides(inner, isAll, ctx)))
      case side => walk(side, ctx)
    }
}

object RewriteSetOperations {

  /** The room's rewrites: filters first, counting for the rest, then the guards. */
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
