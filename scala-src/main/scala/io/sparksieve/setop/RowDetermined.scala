package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.report.Reason

/**
 * The proof RD(f) that a filter is a function of the compared columns: rows that the operation
 * holds equal pass it together or fail it together. Then whether an equal row exists on the other
 * side can be asked of the row at hand.
 *
 * Two conditions:
 *   1. each part of f is, by expression id and not by name, one of the compared columns or made of
 *      them ([[Reason.NotRowDetermined]] otherwise);
 *   1. f cannot tell apart values that the operation's equality merges
 *      ([[Reason.TellsEqualValuesApart]]; see [[SetEquality]]).
 */
object RowDetermined {

  /**
   * Rewrites `conditions` over the compared columns.
   *
   * @param conditions
   *   conjuncts over the common source
   * @param columns
   *   pairs of an expression over the common source and what stands for it in the rewritten
   *   condition (an output attribute, or a join key)
   */
  def apply(
      conditions: Seq[Expression],
      columns: Seq[(Expression, Expression)]): Either[Reason, Vector[Expression]] = {
    val rewritten = conditions.map(over(columns, _)).toVector
    if (rewritten.exists(_.isEmpty)) Left(Reason.NotRowDetermined)
    else if (rewritten.flatten.forall(SetEquality.respectedBy)) Right(rewritten.flatten)
    else Left(Reason.TellsEqualValuesApart)
  }

  private def over(columns: Seq[(Expression, Expression)], e: Expression): Option[Expression] =
    columns.collectFirst {
      case (source, column) if !e.foldable && source.semanticEquals(e) => column
    } match {
      case found @ Some(_) => found
      case None if e.isInstanceOf[Attribute] => None
      case None =>
        val children = e.children.map(over(columns, _))
        if (children.exists(_.isEmpty)) None
        else if (e.children.isEmpty) Some(e)
        else Some(e.withNewChildren(children.flatten))
    }
}
