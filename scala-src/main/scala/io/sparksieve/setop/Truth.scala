package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

/**
 * Two-valued forms of filter conditions. A filter keeps a row only when its condition is TRUE;
 * NULL and FALSE drop it alike. Moving a condition below NOT, OR or COUNT needs that made
 * explicit, or a row whose right condition is NULL would vanish from an EXCEPT although it never
 * was on the right.
 */
object Truth {

  /**
   * TRUE exactly where every conjunct is TRUE, FALSE elsewhere, never NULL. The conjuncts are
   * evaluated in the given order and evaluation stops at the first that is not TRUE, as a chain
   * of filters does: a guard such as `s IS NOT NULL AND cast(s AS INT) > 3` keeps guarding. (A
   * plain AND would evaluate the second conjunct where the first is NULL.)
   */
  def isTrue(conjuncts: Seq[Expression]): Expression =
    conjuncts.map(isTrue).reduceOption(And(_, _)).getOrElse(Literal.TrueLiteral)

  /** TRUE exactly where the conjunction is FALSE or NULL. */
  def isNotTrue(conjuncts: Seq[Expression]): Expression = Not(isTrue(conjuncts))

  /**
   * The conjunction as a filter would evaluate it, left pushable to data sources where that is
   * safe: a conjunct is made two-valued only if it may be NULL and one after it may fail.
   */
  def asWritten(conjuncts: Seq[Expression]): Expression = {
    val lastFallible = conjuncts.lastIndexWhere(!Infallible(_))
    conjuncts.zipWithIndex
      .map { case (c, i) => if (i < lastFallible) isTrue(c) else c }
      .reduceOption(And(_, _))
      .getOrElse(Literal.TrueLiteral)
  }

  private def isTrue(condition: Expression): Expression = condition match {
    case c if !c.nullable => c
    // Data sources take <=> but not COALESCE.
    case EqualTo(l, r) if !l.nullable || !r.nullable => EqualNullSafe(l, r)
    case And(l, r) => And(isTrue(l), isTrue(r))
    case Or(l, r) => Or(isTrue(l), isTrue(r))
    case c => Coalesce(Seq(c, Literal.FalseLiteral))
  }
}
