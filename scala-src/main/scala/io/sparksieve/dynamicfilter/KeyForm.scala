package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.types.NumericType

/** The forms of a join key that can be followed: a column, or a number widened without loss. */
private[dynamicfilter] object KeyForm {

  /** The key without what Spark puts around floats to join them, which sets of keys do themselves. */
  def stripped(key: Expression): Expression = key match {
    case KnownFloatingPointNormalized(NormalizeNaNAndZero(inner)) => stripped(inner)
    case other => other
  }

  /** The one column of a key that has such a form. */
  def column(key: Expression): Option[Attribute] = key match {
    case a: Attribute => Some(a)
    case c: Cast if widens(c) => column(c.child)
    case _ => None
  }

  /** `key` with its column replaced by what `expressions` makes that column of, if it has a form. */
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
