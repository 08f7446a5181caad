// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.{Duplicates, SetEquality}
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.{
  Cache,
  CommonSource,
  Disjoint,
  Evaluation,
  NamedOutputs,
  SetOpContext
}

/**
 * UNION of filtered copies of one source becomes one filtered scan:
 * {{{
 *   SELECT a FROM t WHERE f_L UNION     SELECT a FROM t WHERE f_R
 *   ==>  SELECT DISTINCT a FROM t WHERE f_L OR f_R
 *   SELECT a FROM t WHERE f_L UNION ALL SELECT a FROM t WHERE f_R
 *   ==>  SELECT a FROM t WHERE f_L OR f_R       if no row can pass both
 * }}}
 *
 * Preconditions:
 *   1. the sides read the same rows ([[CommonSource]]), compute the same columns and have no
 *      expression that may fail;
 *   1. UNION: equal values are identical, except floats, which Spark normalises: with one scan,
 *      DISTINCT may keep another of several equal values;
 *   1. UNION ALL: f_L AND f_R is provably unsatisfiable ([[Disjoint]]), and no side removes
 *      duplicates: a row that passed both filters would have to appear twice;
 *   1. one scan skips at least as much as two ([[Pruning]]), and no side is cached by itself.
 *
 * A union of many sides is merged group by group, at most [[MostSides]] into one; a side that fits
 * no group stays as it is.
 */
private[sparksieve] object ReplaceUnionWithFilter extends SetOpRewrite {

  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case Duplicates(u: Union) => settle(plan, u, isAll = false, ctx)
    case u: Union if !u.isStreaming => settle(plan, u, isAll = true, ctx)
    case _ => plan
  }

  private def settle(
      place: LogicalPlan,
      u: Union,
      isAll: Boolean,
      ctx: SetOpContext): LogicalPlan = {
    val sides = flat(u, isAll, ctx)
    val groups = merged(sides, isAll, ctx)
    val verdict = groups.map { kept =>
      val rows = if (kept.length == 1) kept.head else u.copy(children = kept)
      if (isAll) rows else Distinct(rows)
    }
    settle(place, verdict)(
      s"${sides.length} filtered scans became ${groups.map(_.length).getOrElse(0)}")
  }

  private def merged(
      sides: Seq[LogicalPlan],
      isAll: Boolean,
      ctx: SetOpContext): Either[Refusal, Seq[LogicalPlan]] = {
    val start: (Vector[Group], Vector[Refusal]) = (Vector.empty, Vector.empty)
    val (groups, refusals) = sides.foldLeft(start) { case ((groups, refusals), side) =>
      val (why, found) = firstMerge(groups, side, isAll, ctx)
      found match {
        case Some((i, plan)) => (groups.updated(i, Group(plan, groups(i).sides + 1)), refusals)
        case None => (groups :+ Group(side, 1), refusals ++ why)
      }
    }
    if (groups.length == sides.length) Left(mostTelling(refusals))
    else Right(groups.map(_.plan))
  }

  /** Sides that have become one plan. */
  private final case class Group(plan: LogicalPlan, sides: Int)

  /**
   * The most sides in one group. Proof and filter grow with each side, so a group of hundreds would
   * take longer to plan than to run.
   */
  private val MostSides = 64

  /** The first group that `side` can be merged into, and why the groups before it do not match. */
  private def firstMerge(
      groups: Vector[Group],
      side: LogicalPlan,
      isAll: Boolean,
      ctx: SetOpContext): (Vector[Refusal], Option[(Int, LogicalPlan)]) = {
    @tailrec
    def from(i: Int, why: Vector[Refusal]): (Vector[Refusal], Option[(Int, LogicalPlan)]) =
      if (i == groups.length) (why, None)
      else if (groups(i).sides == MostSides) from(i + 1, why)
      else {
        pair(groups(i).plan, side, isAll, ctx) match {
          case Right(plan) => (why, Some(i -> plan))
          case Left(refusal) => from(i + 1, why :+ refusal)
        }
      }
    from(0, Vector.empty)
  }

  private def pair(
      left: LogicalPlan,
      right: LogicalPlan,
      isAll: Boolean,
      ctx: SetOpContext): Either[Refusal, LogicalPlan] =
    CommonSource.of(left, right, ctx).flatMap { common =>
      val distinct = common.left.removesDuplicates || common.right.removesDuplicates
      if (!common.sameOutputs) Left(Reason.DifferentProjection)
      else if (isAll && distinct) Left(Reason.DistinctBranch)
      else if (isAll && !Disjoint(common.left.conditions, common.right.conditions)) {
        Left(Reason.MayOverlap)
      } else if (!isAll && !left.output.forall(c => SetEquality.mergesFloatsOnly(c.dataType))) {
        Left(Reason.MergedValues)
      } else {
        for {
          // The reader of a union may stop at its first row and never reach a failing expression.
          _ <- Evaluation.cannotFail(common)
          scan <- MergedScan.of(common, ctx)
        } yield Project(NamedOutputs(left.output, scan.outputs), scan.plan)
      }
    }

  /** The sides of nested unions; a cached union counts as one side. */
  private def flat(u: Union, isAll: Boolean, ctx: SetOpContext): Seq[LogicalPlan] =
    u.children.flatMap { side =>
      if (ctx.cache(side) != Cache.Miss) Seq(side)
      else
        Rewritten.form(side) match {
          case inner: Union => flat(inner, isAll, ctx)
          case Duplicates(inner: Union) if !isAll && ctx.cache(inner) == Cache.Miss =>
            flat(inner, isAll, ctx)
          case Duplicates(child) if !isAll => Seq(child)
          case _ => Seq(side)
        }
    }

  private def mostTelling(refusals: Vector[Refusal]): Refusal =
    refusals.find(_ != Reason.DifferentSource).getOrElse(Reason.DifferentSource)
}
