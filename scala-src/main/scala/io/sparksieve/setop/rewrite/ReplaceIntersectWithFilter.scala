// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.{
  CommonSource,
  Evaluation,
  MergedFloats,
  NamedOutputs,
  PushdownSensitive,
  RowDetermined,
  SetOpContext,
  Truth
}

/**
 * INTERSECT between filtered copies of one source becomes one filtered scan:
 * {{{
 *   SELECT a FROM t WHERE f_L INTERSECT     SELECT a FROM t WHERE f_R
 *   ==>  SELECT DISTINCT a FROM t WHERE f_L AND f_R
 *   SELECT a FROM t WHERE f_L INTERSECT ALL SELECT a FROM t WHERE f_R
 *   ==>  SELECT a FROM t WHERE f_L AND f_R
 * }}}
 *
 * Preconditions:
 *   1. both sides read the same rows ([[CommonSource]]);
 *   1. they compute the same columns;
 *   1. the filter of '''either''' side, apart from the conjuncts that the other side has too, is a
 *      function of the compared columns ([[RowDetermined]]). If f_R is, the right side has all
 *      copies of a row or none, so min(c_L, c_R) is c_L or 0;
 *   1. INTERSECT ALL: that side does not remove duplicates, and no output column merges values
 *      other than top-level floats ([[MergedFloats]]), for example strings of a collation;
 *   1. if it is the left filter, no output column merges such values, because the kept rows come
 *      from the right side while Spark would return the left side's spelling;
 *   1. no expression of the left side may fail, for Spark reads no row of it if the right side of
 *      INTERSECT is empty; the left side of INTERSECT ALL may fail if its rows are kept
 *      ([[Evaluation]]).
 */
private[sparksieve] object ReplaceIntersectWithFilter extends SetOpRewrite {

  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case i: Intersect =>
      val merged = MergedFloats.obstacle(i.output)
      val verdict = CommonSource.of(i.left, i.right, ctx).flatMap { common =>
        if (!common.sameOutputs) Left(Reason.DifferentProjection)
        else if (i.isAll && merged.nonEmpty) Left(merged.get)
        else
          keepLeft(i, common).left.flatMap { why =>
            if (merged.isEmpty) keepRight(i, common, ctx).left.map(_ => why) else Left(why)
          }
      }
      settle(i, verdict)("one scan with the filters of both sides")
    case _ => plan
  }

  private def keepLeft(i: Intersect, common: CommonSource): Either[Refusal, LogicalPlan] =
    if (i.isAll && common.right.removesDuplicates) Left(Reason.DistinctBranch)
    else {
      for {
        // Spark reads both sides of INTERSECT ALL, whatever they hold.
        _ <- if (i.isAll) Right(()) else Evaluation.leftCannotFail(common)
        conditions <- RowDetermined(
          common.ownRightConditions,
          common.left.outputs.zip(i.left.output))
      } yield finished(i, filtered(conditions, i.left))
    }

  private def keepRight(
      i: Intersect,
      common: CommonSource,
      ctx: SetOpContext): Either[Refusal, LogicalPlan] =
    if (i.isAll && common.left.removesDuplicates) Left(Reason.DistinctBranch)
    else {
      for {
        _ <- Evaluation.leftCannotFail(common)
        conditions <- RowDetermined(
          common.ownLeftConditions,
          common.right.outputs.zip(i.right.output))
      } yield finished(i, underLeftNames(i, filtered(conditions, i.right), common, ctx))
    }

  private def filtered(conditions: Seq[Expression], side: LogicalPlan): LogicalPlan =
    if (conditions.isEmpty) side else Filter(Truth.asWritten(conditions), side)

  private def underLeftNames(
      i: Intersect,
      right: LogicalPlan,
      common: CommonSource,
      ctx: SetOpContext): LogicalPlan = {
    val values = PushdownSensitive.shielded(common, common.right.outputs, right.output, ctx)
    Project(NamedOutputs(i.left.output, values), right)
  }

  private def finished(i: Intersect, rows: LogicalPlan): LogicalPlan =
    if (i.isAll) MergedFloats.normalised(rows) else Distinct(rows)
}
