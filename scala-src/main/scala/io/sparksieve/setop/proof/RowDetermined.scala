// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.common.{RespectsEquality, SameExpression}
import io.sparksieve.report.core.{Reason, Refusal}

/**
 * Proves RD(f), that a filter f is a function of the compared columns: rows that the operation
 * treats as equal pass f together or fail f together. Then a row has an equal row on the other side
 * exactly if the row itself passes the other side's filter.
 *
 * Two conditions:
 *   1. each part of f is one of the compared columns or is computed from them. Attributes are
 *      matched by expression id, not by name; computed columns must be written the same way
 *      ([[SameExpression]]). [[Reason.NotRowDetermined]] otherwise;
 *   1. f, as a function of the compared columns, respects the equality of '''their''' types
 *      ([[RespectsEquality]]). [[Reason.TellsEqualValuesApart]] otherwise. A key
 *      `cast(s AS DOUBLE)` or `s COLLATE UTF8_LCASE` merges values although `s` does not, and
 *      `ascii(s COLLATE UTF8_LCASE)` is a function of the key that tells merged values apart.
 */
private[setop] object RowDetermined {

  /**
   * Rewrites `conditions` over the compared columns.
   *
   * @param conditions
   *   conjuncts over the common source
   * @param columns
   *   pairs of an expression over the common source and its replacement in the rewritten condition
   *   (an output attribute, or a join key)
   */
  def apply(
      conditions: Seq[Expression],
      columns: Seq[(Expression, Expression)]): Either[Refusal, Vector[Expression]] = {
    // Stand-in attributes, because only the type of a column matters, not how it is computed.
    val values = columns.map { case (source, column) =>
      (source, AttributeReference("column", source.dataType, source.nullable)(), column)
    }
    val functions = conditions.map(over(values.map { case (s, v, _) => s -> v }, _)).toVector
    if (functions.exists(_.isEmpty)) Left(Reason.NotRowDetermined)
    else if (!functions.flatten.forall(RespectsEquality(_))) Left(Reason.TellsEqualValuesApart)
    else {
      val names = AttributeMap(values.map { case (_, v, column) => v -> column })
      Right(functions.flatten.map(Branch.substitute(_, names)))
    }
  }

  private def over(columns: Seq[(Expression, Expression)], e: Expression): Option[Expression] =
    columns.collectFirst {
      case (source, column) if !e.foldable && SameExpression(source, e) => column
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
