// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.common.{CannotFail, ExactPushdown}

/**
 * Builds two-valued forms of filter conditions. A filter keeps a row only when its condition is
 * TRUE; it drops the row for NULL and FALSE alike. Below NOT, OR or COUNT that must be made
 * explicit: otherwise a row whose right condition is NULL would vanish from an EXCEPT although the
 * right side does not contain it.
 */
private[sparksieve] object Truth {

  /**
   * TRUE exactly where every conjunct is TRUE, FALSE elsewhere, never NULL. Does not fail for any
   * row for which a chain of filters would succeed: see [[guarded]].
   */
  def isTrue(conjuncts: Seq[Expression]): Expression =
    if (conjuncts.forall(CannotFail(_))) {
      conjuncts.map(isTrue).reduceOption(And(_, _)).getOrElse(Literal.TrueLiteral)
    } else guarded(conjuncts)

  /** TRUE exactly where the conjunction is FALSE or NULL. */
  def isNotTrue(conjuncts: Seq[Expression]): Expression = Not(isTrue(conjuncts))

  /**
   * The conjunction as a filter evaluates it. If no conjunct can fail, each conjunct for which
   * every source returns the same rows stays pushable to data sources.
   */
  def asWritten(conjuncts: Seq[Expression]): Expression =
    if (conjuncts.forall(CannotFail(_))) {
      conjuncts
        .map(c => if (mayStandBare(c)) c else isTrue(c))
        .reduceOption(And(_, _))
        .getOrElse(Literal.TrueLiteral)
    } else guarded(conjuncts)

  /**
   * Whether `condition` may be visible to Spark's optimizer. In a join above, Spark infers the
   * condition for the other side as well and pushes it to that side's source, whichever source that
   * is. And from an equality over values that it merges, Spark infers conditions that need not
   * hold.
   */
  def mayStandBare(condition: Expression): Boolean =
    ExactPushdown.anywhere(condition) && !MergedEquality.occursIn(condition)

  /**
   * A two-valued conjunction that evaluates a conjunct that can fail only for rows that passed all
   * conjuncts before it. In `s IS NOT NULL AND cast(s AS INT) > 3` the guard keeps protecting the
   * cast wherever the conjunction is moved.
   *
   *   - Conjuncts that cannot fail come first, wherever they were written: Spark pushes them to the
   *     scan, which skips whole partitions and row groups by them.
   *   - IF stops at the first conjunct that is not TRUE, while AND evaluates its right operand
   *     after a NULL. Subexpression elimination evaluates common parts of AND and OR early, but not
   *     those in the branches of IF.
   *   - KnownNotNull, which holds for this IF, hides the conjuncts from the optimizer. The
   *     optimizer would move a condition that two guards share out of both:
   *     `(g AND x) OR (h AND x)` would become `x AND (g OR h)`.
   */
  private def guarded(conjuncts: Seq[Expression]): Expression = conjuncts match {
    // A single conjunct without AND or OR has no guard that it could be moved ahead of.
    case Seq(one) if !one.exists(e => e.isInstanceOf[And] || e.isInstanceOf[Or]) => isTrue(one)
    case _ => inOrder(conjuncts)
  }

  private def inOrder(conjuncts: Seq[Expression]): Expression = {
    val (safe, fallible) = conjuncts.partition(CannotFail(_))
    KnownNotNull((safe ++ fallible).map(lazily).reduceRight(If(_, _, Literal.FalseLiteral)))
  }

  private def lazily(condition: Expression): Expression = condition match {
    case c if CannotFail(c) => isTrue(c)
    case And(l, r) => If(lazily(l), lazily(r), Literal.FalseLiteral)
    case Or(l, r) => If(lazily(l), Literal.TrueLiteral, lazily(r))
    case c => isTrue(c)
  }

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
