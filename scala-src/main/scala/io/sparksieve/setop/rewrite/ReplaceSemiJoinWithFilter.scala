// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.LeftSemi
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.{EXISTS_SUBQUERY, IN_SUBQUERY}

import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.SetOpContext

/**
 * A semi-join of a source with a filtered copy of itself becomes a filter:
 * {{{
 *   t LEFT SEMI JOIN (SELECT * FROM t WHERE f_R(k)) r ON t.k = r.k
 *   ==>  SELECT * FROM t WHERE k IS NOT NULL AND T(f_R(k))
 *   SELECT * FROM t WHERE EXISTS (SELECT 1 FROM t r WHERE r.k = t.k AND f_R(r.k))
 *   SELECT * FROM t WHERE k IN (SELECT k FROM t WHERE f_R(k))
 *   ==>  the same
 * }}}
 *
 * Preconditions: those of [[Membership]]. In a semi-join, and in a conjunct that becomes one, no
 * expression of the left side may fail: Spark reads no row of it if the right side is empty
 * (`Evaluation`). EXISTS is never NULL and may appear anywhere in the filter. IN is TRUE where the
 * rewritten condition is TRUE, but NULL where a key is NULL, so it is replaced only as a conjunct
 * of the filter, or where no key can be NULL.
 */
private[sparksieve] object ReplaceSemiJoinWithFilter extends SetOpRewrite {

  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case j: Join if j.joinType == LeftSemi =>
      val verdict = Membership
        .keys(j.condition, j.left, j.right)
        .flatMap(Membership(j.left, j.right, _, ctx, beside = Some(Nil)))
        .map(Filter(_, j.left))
      settle(j, verdict)("one scan with a filter instead of a semi-join")
    case f: Filter if f.condition.containsAnyPattern(EXISTS_SUBQUERY, IN_SUBQUERY) =>
      withConjuncts(f) {
        case (in: InSubquery, others) =>
          replaced(f, in, SubqueryMembership.in(f.child, in, ctx, beside(others)))
        case (e: Exists, others) =>
          replaced(f, e, SubqueryMembership.exists(f.child, e, ctx, beside(others)))
        // ReplaceAntiJoinWithNotFilter handles these and has recorded its verdict.
        case (absent @ Not(_: Exists | _: InSubquery), _) => absent
        case (other, others) => nested(f, other, others, ctx)
      }
    case _ => plan
  }

  // What a subquery returns does not matter here, only what the outer query computes for it.
  private def beside(conjuncts: Seq[Expression]) = Some(conjuncts.map(_.transform {
    case _: Exists => Literal.TrueLiteral
    case in: InSubquery => in.values.map(IsNotNull(_)).reduce[Expression](And(_, _))
  }))

  private def nested(
      f: Filter,
      conjunct: Expression,
      others: Seq[Expression],
      ctx: SetOpContext): Expression =
    conjunct.transformUpWithPruning(_.containsAnyPattern(EXISTS_SUBQUERY, IN_SUBQUERY)) {
      case e: Exists => replaced(f, e, SubqueryMembership.exists(f.child, e, ctx))
      case in: InSubquery =>
        val verdict = SubqueryMembership.in(f.child, in, ctx).flatMap { member =>
          if (SubqueryMembership.neverNull(f.child, in, others, ctx)) Right(member)
          else Left(Reason.NestedPredicate)
        }
        replaced(f, in, verdict)
    }

  private def replaced(
      f: Filter,
      predicate: Expression,
      verdict: Either[Refusal, Expression]): Expression =
    settle(f, predicate, verdict)("a condition on the row instead of a semi-join")
}
