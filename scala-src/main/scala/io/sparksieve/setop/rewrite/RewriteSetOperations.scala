// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern._
import org.apache.spark.sql.catalyst.trees.TreePatternBits

import io.sparksieve.common.Duplicates
import io.sparksieve.common.order.RowOrder
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Features, Guarded, OperatorDescription, Reason, Report}
import io.sparksieve.setop.proof.{Cache, SetOpContext, WholeQuery}

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
 *   builds the context of a query; called once per query
 */
private[sparksieve] class RewriteSetOperations(
    rewrites: Seq[SetOpRewrite],
    context: WholeQuery => SetOpContext)
    extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!mayAct(plan)) plan
    else {
      val ctx = context(new WholeQuery(plan))
      if (SieveConf.setopEnabled(ctx.conf)) walk(plan, leaving(plan, ctx)) else plan
    }

  /**
   * `ctx` without rewrites in two kinds of definitions: those that an EXCEPT reads which Spark may
   * replace by a filter (Spark puts the definitions into its sides before), and those that are read
   * below an operator that depends on the order of its rows.
   */
  private def leaving(plan: LogicalPlan, ctx: SetOpContext): SetOpContext =
    if (ctx.ctes.isEmpty) ctx
    else {
      val excepts = plan.collectWithSubqueries { case e: Except => e }
      val filtered = excepts.flatMap { e =>
        val read = ctx.definitionsOf(e)
        if (read.nonEmpty && SparksExcept.mayFilter(e, ctx)) read else Nil
      }
      val drawn = readInOrder(plan, matters = false).flatMap(ctx.definitionsOf)
      val left = (filtered ++ drawn).map(_.id)
      if (left.isEmpty) ctx else ctx.leaving(left.toSet)
    }

  /** The references to definitions below an operator that depends on the order of its rows. */
  private def readInOrder(plan: LogicalPlan, matters: Boolean): Seq[LogicalPlan] = plan match {
    case r: CTERelationRef => if (matters) Seq(r) else Nil
    case _ =>
      val below = matters || RowOrder.matters(plan)
      plan.children.flatMap(readInOrder(_, below)) ++
        plan.subqueries.flatMap(readInOrder(_, matters = false))
  }

  private def mayAct(plan: TreePatternBits): Boolean =
    plan.containsAnyPattern(
      EXCEPT,
      INTERSECT,
      UNION,
      LEFT_SEMI_OR_ANTI_JOIN,
      EXISTS_SUBQUERY,
      IN_SUBQUERY)

  private def walk(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan =
    if (!mayAct(plan) || isUntouched(plan, ctx) || ctx.cache(plan) != Cache.Miss) plan
    else rewritten(plan, ctx)

  private def isUntouched(plan: LogicalPlan, ctx: SetOpContext) = plan match {
    case d: CTERelationDef => ctx.untouched(d.id)
    case _: Rewritten => true
    case _ => false
  }

  private def rewritten(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case e: Except if !e.isAll => except(e, ctx)
    case _ => withSides(plan, ctx)
  }

  /**
   * Keeps rewrites within the sides of an EXCEPT from changing what Spark makes of it, if it remains
   * an EXCEPT. If Spark surely plans an anti-join without them, it becomes that anti-join;
   * otherwise the sides are left alone.
   */
  private def except(e: Except, ctx: SetOpContext): LogicalPlan = {
    val defined = ctx.definitionsOf(e).exists(d => mayAct(d.child) && !ctx.untouched(d.id))
    if (!defined && !e.children.exists(mayAct)) withSides(e, ctx)
    else {
      val (rewritten, report) = Report.recording(withSides(e, ctx))
      val kept = rewritten match {
        case still: Except if defined || !isUnchanged(still, e) => remaining(e, still, defined, ctx)
        case _ => Some(rewritten)
      }
      if (kept.nonEmpty) report()
      kept.getOrElse(alone(e, ctx))
    }
  }

  /** What becomes of an EXCEPT with rewritten sides; None if its sides must be left alone. */
  private def remaining(e: Except, still: Except, defined: Boolean, ctx: SetOpContext) = {
    def maybe = {
      val seen = still.copy(Rewritten.forms(still.left), Rewritten.forms(still.right))
      if (defined) SparksExcept.mayFilterRewritten(seen, ctx)
      else SparksExcept.mayFilter(seen, ctx)
    }
    if (SparksExcept.mayFilter(e, ctx)) None
    else if (maybe) LowerUnsafeExcept.asWithoutRewrites(still).map(Rewritten(_, still))
    else Some(still)
  }

  private def isUnchanged(now: Except, before: Except) =
    (now.left eq before.left) && (now.right eq before.right)

  private def withSides(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = {
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
    alone(inside, inner)
  }

  /** Tries the rewrites on the root of `plan` alone. */
  private def alone(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = {
    val ((form, by), report) = Report.recording {
      rewrites.foldLeft((plan, "")) { case ((current, by), rewrite) =>
        val next = Guarded(Features.SetOp, rewrite.name, OperatorDescription(current), current)(
          rewrite(current, ctx))
        (next, if (next eq current) by else rewrite.name)
      }
    }
    if ((form eq plan) || readFromCache(form, ctx) == readFromCache(plan, ctx)) {
      report()
      if (form eq plan) plan else Rewritten(form, plan)
    } else {
      // Another query than this one is in the cache in this form.
      val reason = Reason.CachedBranch
      Report.declined(Features.SetOp, by, reason, OperatorDescription(plan), reason.meaning)
      plan
    }
  }

  /** What Spark reads from its cache: the plans closest to the root that are cached. */
  private def readFromCache(plan: LogicalPlan, ctx: SetOpContext): Set[LogicalPlan] =
    if (ctx.cache.isEmpty) Set.empty
    else if (ctx.cache(plan) != Cache.Miss) Set(plan.canonicalized)
    else (plan.children ++ plan.subqueries).flatMap(readFromCache(_, ctx)).toSet

  /** SQL nests a union of many sides: one operation, reported at the outermost union. */
  private def walkSides(u: Union, isAll: Boolean, ctx: SetOpContext): LogicalPlan =
    u.mapChildren(walkNest(_, isAll, ctx))

  /** Walks a side of a union, which may be a union itself. A cached side is left as it is. */
  private def walkNest(side: LogicalPlan, isAll: Boolean, ctx: SetOpContext): LogicalPlan =
    side match {
      case _ if ctx.cache(side) != Cache.Miss => side
      case u: Union => walkSides(u, isAll, ctx)
      case d @ Duplicates(u: Union) if !isAll => d.withNewChildren(Seq(walkNest(u, isAll, ctx)))
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
