// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.Duplicates
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.{
  Cache,
  CommonSource,
  MergedFloats,
  RowDetermined,
  SetOpContext,
  Truth
}

/**
 * EXCEPT between filtered copies of one source becomes one filtered scan:
 * {{{
 *   SELECT a FROM t WHERE f_L EXCEPT     SELECT a FROM t WHERE f_R
 *   ==>  SELECT DISTINCT a FROM t WHERE f_L AND NOT T(f_R)
 *   SELECT a FROM t WHERE f_L EXCEPT ALL SELECT a FROM t WHERE f_R
 *   ==>  SELECT a FROM t WHERE f_L AND NOT T(f_R)
 * }}}
 * T(f) is f with NULL replaced by FALSE: the right side has no row for which f_R is NULL.
 *
 * Preconditions:
 *   1. both sides read the same rows ([[CommonSource]]);
 *   1. they compute the same columns;
 *   1. f_R, apart from the conjuncts that f_L has too, is a function of the compared columns
 *      ([[RowDetermined]]). Then the right side has either no copy of a row or at least as many
 *      copies as the left side, so EXCEPT ALL keeps all copies or none;
 *   1. EXCEPT ALL: the right side does not remove duplicates, and no output column merges values
 *      other than top-level floats ([[MergedFloats]]), for example strings of a collation (Spark
 *      would return one of the merged values for all of them).
 *
 * A UNION on the right is split, and each part is proved separately. Chains `X EXCEPT a EXCEPT b`
 * fold from the inside. The left side is kept as it is (apart from a redundant DISTINCT that is not
 * cached), so that Spark still finds a cached left side. Spark's optimizer merges the filters and
 * plans the DISTINCT.
 */
private[sparksieve] object ReplaceExceptWithNotFilter extends SetOpRewrite {

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
      Rewritten.form(e.left) match {
        case Duplicates(child) if ctx.cache(e.left) == Cache.Miss =>
          Distinct(Filter(condition, child))
        case _ => Distinct(Filter(condition, e.left))
      }
    }

  /** Whether the proof succeeds when the push-down of filters to the source is ignored. */
  def holdsWithoutPushdown(e: Except, ctx: SetOpContext): Boolean =
    conditions(e, ctx, anySource = true).isRight

  /**
   * One condition over the left's output for each part of the right side: TRUE for the rows that
   * the part does not contain.
   */
  private def conditions(
      e: Except,
      ctx: SetOpContext,
      anySource: Boolean = false): Either[Refusal, Seq[Expression]] = {
    val proofs = parts(e.right, e.isAll).map(conditions(e, _, ctx, anySource))
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
          .map(own => Negated(Truth.isTrue(own), e.left))
      }
    }

  /** The parts of a union: X EXCEPT (a UNION b) removes the rows of both. */
  private def parts(right: LogicalPlan, isAll: Boolean): Seq[LogicalPlan] =
    right match {
      case u: Union => u.children.flatMap(parts(_, isAll))
      case SubqueryAlias(_, child) => parts(child, isAll)
      case v: View => parts(v.child, isAll)
      case Duplicates(child) if !isAll => parts(child, isAll)
      case other => Seq(other)
    }
}
