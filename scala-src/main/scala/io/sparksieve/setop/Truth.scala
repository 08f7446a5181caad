package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.common.{CannotFail, ExactPushdown}

/**
 * Two-valued forms of filter conditions. A filter keeps a row only when its condition is TRUE;
 * NULL and FALSE drop it alike. Moving a condition below NOT, OR or COUNT needs that made
 * explicit, or a row whose right condition is NULL would vanish from an EXCEPT although it never
 * was on the right.
 */
object Truth {

  /**
   * TRUE exactly where every conjunct is TRUE, FALSE elsewhere, never NULL. Fails for no row for
   * which a chain of filters does not fail: see [[guarded]].
   */
  def isTrue(conjuncts: Seq[Expression]): Expression =
    if (conjuncts.forall(CannotFail(_))) {
      conjuncts.map(isTrue).reduceOption(And(_, _)).getOrElse(Literal.TrueLiteral)
    } else guarded(conjuncts)

  /** TRUE exactly where the conjunction is FALSE or NULL. */
  def isNotTrue(conjuncts: Seq[Expression]): Expression = Not(isTrue(conjuncts))

  /**
   * The conjunction as a filter evaluates it, left pushable to data sources where that is safe:
   * where no conjunct may fail, and for those of which each source makes the same rows.
   */
  def asWritten(conjuncts: Seq[Expression]): Expression =
    if (conjuncts.forall(CannotFail(_))) {
      conjuncts
        .map(c => if (mayStandBare(c)) c else isTrue(c))
        .reduceOption(And(_, _))
        .getOrElse(Literal.TrueLiteral)
    } else guarded(conjuncts)

  /**
   * Whether Spark may see `condition` as it is. What holds of a row holds of its partner in a join
   * above, and Spark would give it to that side's source too, whatever source that is; and from an
   * equality of values that are merged it infers more than holds.
   */
  def mayStandBare(condition: Expression): Boolean =
    ExactPushdown.anywhere(condition) && !MergedEquality.occursIn(condition)

  /**
   * A two-valued conjunction in which what may fail is evaluated only for rows that passed the
   * rest: `s IS NOT NULL AND cast(s AS INT) > 3` keeps guarding wherever it is moved.
   *
   *   - Conjuncts that cannot fail come first, wherever they were written: Spark hands them to the
   *     scan, which skips whole partitions and row groups by them.
   *   - IF stops at the first conjunct that is not TRUE, where AND goes on after NULL; and
   *     subexpression elimination, which evaluates common parts of AND and OR early, stays out of
   *     its branches.
   *   - KnownNotNull, which is TRUE of IF here, hides the inside from the optimizer, which would
   *     move a condition that two guards share out of both: `(g AND x) OR (h AND x)` would become
   *     `x AND (g OR h)`.
   */
  private def guarded(conjuncts: Seq[Expression]): Expression = conjuncts match {
    // Nothing stands before it that it could be moved ahead of.
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
    // Data sources take <=> but not COALESCE.
    // Where l is NULL, = leaves r alone and <=> does not.
    case EqualTo(l, r) if !l.nullable || (!r.nullable && CannotFail(r)) => EqualNullSafe(l, r)
    // Pushable as it stands, and negated too: Spark makes `a IS NULL OR a >= 3` of it.
    case PresentColumns(columns) => columns.map(IsNotNull(_)).foldRight(condition)(And(_, _))
    case c => Coalesce(Seq(c, Literal.FalseLiteral))
  }

  /** A condition that is NULL exactly where one of some columns is. */
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
