// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.{Branch, CommonSource, Disjoint, SetOpContext}
import io.sparksieve.setop.rewrite.Membership.Key

/**
 * Rewrites EXISTS and IN over a filtered copy of the outer query's own source to a condition on the
 * outer row. Spark's optimizer turns these expressions into joins much later; at this point they
 * are still in the filter.
 */
private[rewrite] object SubqueryMembership {

  /** EXISTS as a two-valued condition over the output of `outer`; `beside` as in [[Membership]]. */
  def exists(
      outer: LogicalPlan,
      e: Exists,
      ctx: SetOpContext,
      beside: Option[Seq[Expression]] = None): Either[Refusal, Expression] =
    CommonSource.of(outer, e.plan, ctx, correlated = true).flatMap { common =>
      val (correlated, own) = common.ownRightConditions.partition(Branch.isCorrelated)
      val keys = correlated.map {
        case EqualTo(l, r) => key(l, r, nullSafe = false)
        case EqualNullSafe(l, r) => key(l, r, nullSafe = true)
        case _ => None
      }
      if (keys.exists(_.isEmpty) || common.right.outputs.exists(Branch.isCorrelated)) {
        Left(Reason.ResidualCondition)
      } else Membership.over(outer, common, keys.flatten, own, ctx, beside)
    }

  /**
   * `values IN (query)` as a two-valued condition: TRUE where IN is TRUE, FALSE where it is FALSE
   * or NULL; `beside` as in [[Membership]].
   */
  def in(
      outer: LogicalPlan,
      e: InSubquery,
      ctx: SetOpContext,
      beside: Option[Seq[Expression]] = None): Either[Refusal, Expression] =
    if (e.query.joinCond.nonEmpty) Left(Reason.CorrelatedBranch)
    else Membership(outer, e.query.plan, keys(e), ctx, beside)

  /**
   * Whether `values IN (query)` can never be NULL: no key is NULL on either side. `known` are
   * conditions over the output of `outer` that hold wherever the predicate is evaluated.
   */
  def neverNull(
      outer: LogicalPlan,
      e: InSubquery,
      known: Seq[Expression],
      ctx: SetOpContext): Boolean =
    CommonSource.of(outer, e.query.plan, ctx).exists { common =>
      def present(key: Expression, conditions: Seq[Expression]) =
        !key.nullable || conditions.exists(Disjoint.rejectsNull(key, _))
      val outerConditions =
        common.left.conditions ++ known.map(Membership.source(outer, common, _))
      keys(e).forall(k => present(Membership.source(outer, common, k.left), outerConditions)) &&
      common.right.outputs.forall(present(_, common.right.conditions))
    }

  private def keys(e: InSubquery): Seq[Key] =
    e.values.zip(e.query.plan.output).map { case (v, a) => Key(v, a, nullSafe = false) }

  private def key(l: Expression, r: Expression, nullSafe: Boolean): Option[Key] =
    (Branch.isCorrelated(l), Branch.isCorrelated(r)) match {
      case (true, false) => outerOnly(l).map(Key(_, r, nullSafe))
      case (false, true) => outerOnly(r).map(Key(_, l, nullSafe))
      case _ => None
    }

  /** `e` in the outer query's attributes; None if it also refers to the subquery's own. */
  private def outerOnly(e: Expression): Option[Expression] =
    if (e.references.nonEmpty) None
    else Some(e.transform { case OuterReference(a) => a })
}
