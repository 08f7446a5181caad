package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal}

/**
 * Whether keys are written the same way, so that they have the same value and the same errors for
 * each row. What Spark's `semanticEquals` holds the same need not: it puts the operands of sums in
 * an order of its own, and takes the literals 0.0 and -0.0 for one.
 */
private[bulkfilter] object SameKeys {

  def apply(a: Seq[Expression], b: Seq[Expression]): Boolean =
    a.size == b.size && a.zip(b).forall { case (x, y) => isSame(x, y) }

  private def isSame(a: Expression, b: Expression): Boolean = (a, b) match {
    case (x: Attribute, y: Attribute) => x.semanticEquals(y)
    case (x: Literal, y: Literal) => x.dataType == y.dataType && bits(x.value) == bits(y.value)
    case _ =>
      a.getClass == b.getClass && apply(a.children, b.children) &&
      a.withNewChildren(b.children) == b
  }

  private def bits(value: Any): Any = value match {
    case d: Double => java.lang.Double.doubleToRawLongBits(d)
    case f: Float => java.lang.Float.floatToRawIntBits(f)
    case other => other
  }
}
