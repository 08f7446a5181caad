// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.sparksieve.common.{RespectsEquality, SameExpression}
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.{
  Branch,
  CommonSource,
  Evaluation,
  PushdownSensitive,
  RowDetermined,
  SetOpContext,
  Truth
}

/**
 * Decides whether a row of the left side has a partner with the same key on a right side that is a
 * filtered copy of the same source. The row is then its own witness, and has a partner exactly if
 * it passes the right side's filter.
 *
 * Preconditions:
 *   1. both sides read the same rows ([[CommonSource]]); duplicates do not matter;
 *   1. each key is the same expression over the source on both sides, written the same way;
 *   1. if a DISTINCT was removed from a side, the keys respect the equality of their columns
 *      ([[RespectsEquality]]): DISTINCT merges the two zeros, and a key computed above it would see
 *      only the merged zero;
 *   1. f_R, apart from the conjuncts that f_L has too, is a function of the keys and respects their
 *      equality ([[RowDetermined]]): the row itself passed the shared conjuncts.
 *
 * Why that is enough: a partner r' of row r has an equal key, and f_R gives the same result for
 * equal keys, so f_R holds for r' exactly if it holds for r. Conversely, if f_R holds for r, then r
 * is on the right, and its key is equal to itself unless it is NULL.
 */
private[sparksieve] object Membership {

  /**
   * One equality between the sides.
   *
   * @param left
   *   over the left side's output
   * @param right
   *   over the right side's output
   * @param nullSafe
   *   whether NULL matches NULL
   */
  final case class Key(left: Expression, right: Expression, nullSafe: Boolean)

  /**
   * A two-valued condition over the left side's output: TRUE if the row has a partner.
   *
   * @param beside
   *   the other conditions over the left side where Spark reads no row of it if the right side is
   *   empty; None where Spark reads it always
   */
  def apply(
      left: LogicalPlan,
      right: LogicalPlan,
      keys: Seq[Key],
      ctx: SetOpContext,
      beside: Option[Seq[Expression]] = None): Either[Refusal, Expression] =
    CommonSource.of(left, right, ctx).flatMap { common =>
      val inSource = AttributeMap(right.output.zip(common.right.outputs))
      val sourceKeys =
        keys.map(k => k.copy(right = Branch.plain(Branch.substitute(k.right, inSource))))
      over(left, common, sourceKeys, common.ownRightConditions, ctx, beside)
    }

  /** Like `apply`, but the right sides of `keys` are already over the common source. */
  def over(
      left: LogicalPlan,
      common: CommonSource,
      keys: Seq[Key],
      rightConditions: Seq[Expression],
      ctx: SetOpContext,
      beside: Option[Seq[Expression]]): Either[Refusal, Expression] = {
    def same(k: Key) = SameExpression(source(left, common, k.left), k.right)
    val distinct = common.left.removesDuplicates || common.right.removesDuplicates
    if (keys.isEmpty || !keys.forall(k => k.left.deterministic && same(k))) {
      Left(Reason.ResidualCondition)
    } else if (distinct && !keys.forall(k => RespectsEquality(k.right))) {
      Left(Reason.TellsEqualValuesApart)
    } else if (!PushdownSensitive.agreesOnKeys(
        common,
        keys.filterNot(_.nullSafe).map(_.right),
        ctx)) {
      Left(Reason.PushdownSensitiveSource)
    } else {
      val present = keys.filter(k => !k.nullSafe && k.left.nullable).map(k => IsNotNull(k.left))
      for {
        conditions <- RowDetermined(rightConditions, keys.map(k => k.right -> k.left))
        _ <- beside.fold[Either[Refusal, Unit]](Right(())) { others =>
          Evaluation.leftCannotFail(common, keys.map(_.left) ++ others)
        }
      } yield Truth.isTrue(present ++ conditions)
    }
  }

  /** Rewrites an expression over the left side's output to one over the common source. */
  def source(left: LogicalPlan, common: CommonSource, e: Expression): Expression =
    Branch.plain(Branch.substitute(e, AttributeMap(left.output.zip(common.left.outputs))))

  /** The keys of a join condition that consists only of equalities between the sides. */
  def keys(
      condition: Option[Expression],
      left: LogicalPlan,
      right: LogicalPlan): Either[Refusal, Seq[Key]] = {
    def side(e: Expression, plan: LogicalPlan) =
      e.references.nonEmpty && e.references.subsetOf(plan.outputSet)
    def key(l: Expression, r: Expression, nullSafe: Boolean) =
      if (side(l, left) && side(r, right)) Some(Key(l, r, nullSafe))
      else if (side(r, left) && side(l, right)) Some(Key(r, l, nullSafe))
      else None
    val found = condition.toSeq.flatMap(Branch.conjuncts).map {
      case EqualTo(l, r) => key(l, r, nullSafe = false)
      case EqualNullSafe(l, r) => key(l, r, nullSafe = true)
      case _ => None
    }
    if (found.isEmpty || found.exists(_.isEmpty)) Left(Reason.ResidualCondition)
    else Right(found.flatten)
  }
}
