package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.report.Reason

/**
 * EXCEPT between filtered copies of one source becomes one filtered scan:
 * {{{
 *   SELECT a FROM t WHERE f_L EXCEPT     SELECT a FROM t WHERE f_R
 *   ==>  SELECT DISTINCT a FROM t WHERE f_L AND NOT T(f_R)
 *   SELECT a FROM t WHERE f_L EXCEPT ALL SELECT a FROM t WHERE f_R
 *   ==>  SELECT a FROM t WHERE f_L AND NOT T(f_R)
 * }}}
 * where T(f) is FALSE where f is NULL: a row whose right condition is NULL never was on the right.
 *
 * Preconditions:
 *   1. both sides read the same rows ([[CommonSource]]);
 *   1. they compute the same columns;
 *   1. f_R is a function of the compared columns ([[RowDetermined]]), but for the conjuncts that
 *      f_L has too. Then every copy of a row is on the right, or none is, and where it is, at
 *      least as often as on the left: EXCEPT ALL leaves all copies or none;
 *   1. EXCEPT ALL: the right side does not remove duplicates, and no output column merges strings
 *      of a collation (Spark would answer with one of the merged values for each).
 *
 * A UNION on the right is taken apart, each part proved by itself; chains `X EXCEPT a EXCEPT b`
 * fold from the inside. The left side is kept as it is, so that a cached left side is still
 * found. Spark's optimizer merges the filters and plans the DISTINCT.
 */
object ReplaceExceptWithNotFilter extends SetOpRewrite {

  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case e: Except =>
      val verdict = conditions(e, ctx).map { parts =>
        val condition = parts.reduce(And(_, _))
        condition -> rewritten(e, condition, ctx)
      }
      settle(e, verdict.map(_._2))(
        s"one scan with the filter ${verdict.map(_._1.sql).getOrElse("")}")
    case _ => plan
  }

  private def rewritten(e: Except, condition: Expression, ctx: SetOpContext): LogicalPlan =
    if (e.isAll) MergedFloats.normalised(Filter(condition, e.left))
    else {
      e.left match {
        case Duplicates(child) if ctx.cache(e.left) == Cache.Miss =>
          Distinct(Filter(condition, child))
        case left => Distinct(Filter(condition, left))
      }
    }

  /** Whether nothing but the source's push-down speaks against a filter. */
  def holdsWithoutPushdown(e: Except, ctx: SetOpContext): Boolean =
    conditions(e, ctx, anySource = true).isRight

  /** For each part of the right side the condition, over the left's output, that keeps a row out. */
  private def conditions(
      e: Except,
      ctx: SetOpContext,
      anySource: Boolean = false): Either[Reason, Seq[Expression]] = {
    val proofs = parts(e.right, e.isAll, ctx).map(conditions(e, _, ctx, anySource))
    val merged = if (e.isAll) MergedFloats.obstacle(e.output) else None
    (merged ++ proofs.flatMap(_.left.toOption)).headOption
      .toLeft(proofs.flatMap(_.toOption))
  }

  private def conditions(e: Except, part: LogicalPlan, ctx: SetOpContext, anySource: Boolean) =
    CommonSource.of(e.left, part, ctx, anySource = anySource).flatMap { common =>
      if (e.isAll && common.right.removesDuplicates) Left(Reason.DistinctBranch)
      else if (!common.sameOutputs) Left(Reason.DifferentProjection)
      else {
        RowDetermined(common.ownRightConditions, common.left.outputs.zip(e.left.output))
          .map(Truth.isNotTrue(_))
      }
    }

  /** The parts of a union; X EXCEPT (a UNION b) asks each row for both. */
  private def parts(right: LogicalPlan, isAll: Boolean, ctx: SetOpContext): Seq[LogicalPlan] =
    right match {
      case cached if ctx.cache(cached) != Cache.Miss => Seq(cached)
      case u: Union => u.children.flatMap(parts(_, isAll, ctx))
      case SubqueryAlias(_, child) => parts(child, isAll, ctx)
      case v: View => parts(v.child, isAll, ctx)
      case Duplicates(child) if !isAll => parts(child, isAll, ctx)
      case other => Seq(other)
    }
}
