// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.common.{CannotFail, ExactPushdown}

/**
 * Builds two-valued forms of filter conditions. A filter keeps a row only when its condition is
 * TRUE; it drops the row for NULL and FALSE alike. Below NOT, OR or COUNT that must be made
 * explicit: otherwise a row whose right condition is NULL would vanish from an EXCEPT although the
 * right side does not contain it. The conditions cannot fail ([[Evaluation]]).
 */
private[sparksieve] object Truth {

  /** TRUE exactly where every conjunct is TRUE, FALSE elsewhere, never NULL. */
  def isTrue(conjuncts: Seq[Expression]): Expression = all(conjuncts.map(isTrue))

  /**
   * The conjunction as a filter evaluates it. Each conjunct for which every source returns the same
   * rows stays pushable to data sources.
   */
  def asWritten(conjuncts: Seq[Expression]): Expression =
    all(conjuncts.map(c => if (mayStandBare(c)) c else isTrue(c)))

  private def all(conjuncts: Seq[Expression]) =
    conjuncts.reduceOption(And(_, _)).getOrElse(Literal.TrueLiteral)

  /**
   * Whether `condition` may be visible to Spark's optimizer. In a join above, Spark infers the
   * condition for the other side as well and pushes it to that side's source, whichever source that
   * is. And from an equality over values that it merges, Spark infers conditions that need not
   * hold.
   */
  def mayStandBare(condition: Expression): Boolean =
    ExactPushdown.anywhere(condition) && !MergedEquality.occursIn(condition)

  private def isTrue(condition: Expression): Expression = condition match {
    case And(l, r) => And(isTrue(l), isTrue(r))
    case Or(l, r) => Or(isTrue(l), isTrue(r))
    case c if !mayStandBare(c) => KnownNotNull(twoValued(c))
    case c => twoValued(c)
  }

  private def twoValued(condition: Expression): Expression = condition match {
    case c if !c.nullable => c
    // Data sources accept <=> but not COALESCE. If l is NULL, = does not evaluate r, but <=> does,
    // so r must not be able to fail.
    case EqualTo(l, r) if !l.nullable || (!r.nullable && CannotFail(r)) => EqualNullSafe(l, r)
    // Pushable as written, and negated too: Spark turns the negation into `a IS NULL OR a >= 3`.
    case PresentColumns(columns) => columns.map(IsNotNull(_)).foldRight(condition)(And(_, _))
    case c => Coalesce(Seq(c, Literal.FalseLiteral))
  }

  /** Matches a condition that is NULL exactly where one of some columns is NULL. */
  private object PresentColumns {
    def unapply(condition: Expression): Option[Seq[Attribute]] = {
      val operands = condition match {
        case _: EqualNullSafe => Nil
        case c: BinaryComparison => Seq(c.left, c.right)
        case In(value, list) if list.forall(e => e.foldable && !e.nullable) => Seq(value)
        case StartsWith(value, prefix) => Seq(value, prefix)
        case _ => Nil
      }
      val columns = operands.filter(_.nullable).collect { case a: Attribute => a }
      if (columns.nonEmpty && columns.length == operands.count(_.nullable) && CannotFail(
          condition)) {
        Some(columns)
      } else None
    }
  }
}
