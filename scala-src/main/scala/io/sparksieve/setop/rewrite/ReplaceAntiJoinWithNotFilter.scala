// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.{EXISTS_SUBQUERY, IN_SUBQUERY}

import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.SetOpContext

/**
 * An anti-join of a source with a filtered copy of itself becomes a filter:
 * {{{
 *   t LEFT ANTI JOIN (SELECT * FROM t WHERE f_R(k)) r ON t.k = r.k
 *   ==>  SELECT * FROM t WHERE k IS NULL OR NOT T(f_R(k))
 *   SELECT * FROM t WHERE NOT EXISTS (SELECT 1 FROM t r WHERE r.k = t.k AND f_R(r.k))
 *   ==>  the same
 *   SELECT * FROM t WHERE k NOT IN (SELECT k FROM t WHERE f_R(k))
 *   ==>  SELECT * FROM t WHERE NOT T(f_R(k))
 * }}}
 *
 * Preconditions: those of [[Membership]]. For NOT IN, no key may be NULL on either side (by schema,
 * or by a filter that rejects NULL), because NOT IN is never TRUE once the right side has a NULL. A
 * join condition with anything but equalities stays a join.
 */
private[sparksieve] object ReplaceAntiJoinWithNotFilter extends SetOpRewrite {

  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case j: Join if j.joinType == LeftAnti =>
      val verdict = Membership
        .keys(j.condition, j.left, j.right)
        .flatMap(Membership(j.left, j.right, _, ctx))
        .map(member => Filter(Negated(member, j.left), j.left))
      settle(j, verdict)("one scan with a filter instead of an anti-join")
    case f: Filter if f.condition.containsAnyPattern(EXISTS_SUBQUERY, IN_SUBQUERY) =>
      withConjuncts(f) { (c, others) =>
        absence(f, c, others, ctx).fold(c) {
          settle(f, c, _)("a condition on the row instead of an anti-join")
        }
      }
    case _ => plan
  }

  /** The verdict on a NOT EXISTS or NOT IN; None for any other conjunct. */
  private def absence(
      f: Filter,
      conjunct: Expression,
      others: Seq[Expression],
      ctx: SetOpContext): Option[Either[Refusal, Expression]] = conjunct match {
    case Not(e: Exists) => Some(SubqueryMembership.exists(f.child, e, ctx).map(Negated(_, f)))
    case Not(e: InSubquery) =>
      Some(SubqueryMembership.in(f.child, e, ctx).flatMap { member =>
        // NULL keys that the other conjuncts reject do no harm: the filter drops their rows anyway.
        if (SubqueryMembership.neverNull(f.child, e, others, ctx)) Right(Negated(member, f))
        else Left(Reason.NullableKey)
      })
    case _ => None
  }
}
