// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.types.NumericType

/** The forms of a join key that can be traced: a column, or a number up-cast as Spark allows. */
private[sparksieve] object KeyForm {

  /**
   * The key without the normalization that Spark wraps around float join keys; key sets normalize
   * floats themselves.
   */
  def stripped(key: Expression): Expression = key match {
    case KnownFloatingPointNormalized(NormalizeNaNAndZero(inner)) => stripped(inner)
    case other => other
  }

  /** The column of a key; None if the key has neither form. */
  def column(key: Expression): Option[Attribute] = key match {
    case a: Attribute => Some(a)
    case c: Cast if widens(c) => column(c.child)
    case _ => None
  }

  /**
   * `key` rewritten over the input of `expressions`: its column is replaced by the expression that
   * defines it. None if `expressions` do not define it, or if the result has neither form.
   */
  def below(key: Expression, expressions: Seq[NamedExpression]): Option[Expression] =
    column(key).flatMap { attribute =>
      expressions
        .find(_.exprId == attribute.exprId)
        .map {
          case Alias(made, _) => key.transformUp { case a: Attribute if a == attribute => made }
          case _ => key
        }
        .filter(column(_).nonEmpty)
    }

  private def widens(cast: Cast): Boolean =
    cast.child.dataType.isInstanceOf[NumericType] && cast.dataType.isInstanceOf[NumericType] &&
      Cast.canUpCast(cast.child.dataType, cast.dataType)
}
