// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.util.Arrays

import scala.collection.mutable
import scala.util.Try

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.util.{ArrayData, MapData}
import org.apache.spark.sql.types.{DataType, Decimal}

/**
 * Proves that two expressions have the same value, bit for bit, for every row, because they are
 * written the same way: the same classes with the same arguments in the same order, bitwise equal
 * literals, and the same columns by expression id. Names and qualifiers are ignored. The only
 * permitted difference is a comparison whose sides are swapped: `1 < b` is `b > 1`.
 *
 * Spark's `semanticEquals` proves less. It reorders the operands of sums and products, although
 * sums of doubles, products of decimals and sums that may overflow depend on their order, and it
 * treats the literals 0.0 and -0.0 as equal.
 */
private[sparksieve] object SameExpression {

  def apply(left: Expression, right: Expression): Boolean =
    (left eq right) || new SameExpression(_.exprId == _.exprId).expression(left, right)

  /** Compares two lists, expression by expression. */
  def apply(left: Seq[Expression], right: Seq[Expression]): Boolean =
    left.size == right.size && left.zip(right).forall { case (l, r) => apply(l, r) }

  /**
   * Compares the arguments of two nodes, where `sameColumn` decides which columns of two plans are
   * the same. Pairs of arguments that `skip` accepts on both sides are not compared.
   */
  def args(left: Product, right: Product, sameColumn: (Attribute, Attribute) => Boolean)(
      skip: Any => Boolean): Boolean =
    new SameExpression(sameColumn).arguments(left, right, skip)

  /** Whether two values of a type are the same, bit for bit. */
  def sameValue(dataType: DataType, left: Any, right: Any): Boolean = (left, right) match {
    case (l: Decimal, r: Decimal) => l.toJavaBigDecimal == r.toJavaBigDecimal
    case (_: InternalRow | _: ArrayData | _: MapData, _: AnyRef) =>
      // Their `equals` treats 0.0 and -0.0 as equal.
      def bytes(v: Any) = UnsafeProjection.create(Array(dataType)).apply(InternalRow(v)).getBytes
      (left.getClass == right.getClass) && Try(Arrays.equals(bytes(left), bytes(right)))
        .getOrElse(false)
    case _ => sameAtom(left, right)
  }

  private def sameAtom(left: Any, right: Any): Boolean = (left, right) match {
    case (l: Double, r: Double) =>
      java.lang.Double.doubleToRawLongBits(l) == java.lang.Double.doubleToRawLongBits(r)
    case (l: Float, r: Float) =>
      java.lang.Float.floatToRawIntBits(l) == java.lang.Float.floatToRawIntBits(r)
    case (l: Array[Byte], r: Array[Byte]) => Arrays.equals(l, r)
    case (null, null) => true
    case (null, _) | (_, null) => false
    case _ => left.getClass == right.getClass && left == right
  }
}

private final class SameExpression(sameColumn: (Attribute, Attribute) => Boolean) {

  // Maps the lambda variables of the left side to those of the right side, by position.
  private val variables = mutable.Map.empty[ExprId, ExprId]

  def expression(left: Expression, right: Expression): Boolean = (left, right) match {
    case (l: Attribute, r: Attribute) => l.dataType == r.dataType && sameColumn(l, r)
    // A column of an outer query is not a column of the compared plans, so compare its id.
    case (l: OuterReference, r: OuterReference) =>
      l.dataType == r.dataType && l.exprId == r.exprId
    case (l: NamedLambdaVariable, r: NamedLambdaVariable) =>
      l.dataType == r.dataType && variables.getOrElseUpdate(l.exprId, r.exprId) == r.exprId
    case (l: Literal, r: Literal) =>
      l.dataType == r.dataType && SameExpression.sameValue(l.dataType, l.value, r.value)
    case (l: Alias, r: Alias) => expression(l.child, r.child)
    // Subqueries are the same only if they are the same object.
    case (_: PlanExpression[_], _) => left eq right
    case (l: GetStructField, r: GetStructField) =>
      l.ordinal == r.ordinal && expression(l.child, r.child)
    // Its encoders are not compared, because Spark resolves them anew for each occurrence.
    case (l: ScalaUDF, r: ScalaUDF) =>
      (l.function eq r.function) && l.dataType == r.dataType &&
      l.children.length == r.children.length &&
      l.children.zip(r.children).forall { case (a, b) => expression(a, b) }
    case (l: BinaryComparison, r: BinaryComparison) if l.getClass != r.getClass =>
      isMirrored(l, r) && turnedRound(l, r)
    case (l: EqualTo, r: EqualTo) => arguments(l, r, _ => false) || turnedRound(l, r)
    case (l: EqualNullSafe, r: EqualNullSafe) => arguments(l, r, _ => false) || turnedRound(l, r)
    case _ => left.getClass == right.getClass && arguments(left, right, _ => false)
  }

  private def turnedRound(left: BinaryComparison, right: BinaryComparison) =
    expression(left.left, right.right) && expression(left.right, right.left)

  private def isMirrored(left: BinaryComparison, right: BinaryComparison) = (left, right) match {
    case (_: LessThan, _: GreaterThan) | (_: GreaterThan, _: LessThan) => true
    case (_: LessThanOrEqual, _: GreaterThanOrEqual) => true
    case (_: GreaterThanOrEqual, _: LessThanOrEqual) => true
    case _ => false
  }

  def arguments(left: Product, right: Product, skip: Any => Boolean): Boolean =
    left.productArity == right.productArity &&
      left.productIterator.zip(right.productIterator).forall { case (l, r) =>
        (skip(l) && skip(r)) || argument(l, r)
      }

  private def argument(left: Any, right: Any): Boolean = (left, right) match {
    case (l: Expression, r: Expression) => expression(l, r)
    // Ids of results are only names; they do not change the value.
    case (_: ExprId, _: ExprId) => true
    case (l: scala.collection.Set[_], r: scala.collection.Set[_]) =>
      (l eq r) || (l.size == r.size && l.forall(v => isExact(v) && r.exists(argument(v, _))))
    case (l: scala.collection.Seq[_], r: scala.collection.Seq[_]) =>
      l.length == r.length && l.zip(r).forall { case (a, b) => argument(a, b) }
    case (Some(l), Some(r)) => argument(l, r)
    case (l: (_, _), r: (_, _)) => argument(l._1, r._1) && argument(l._2, r._2)
    // Its own equality may treat 0.0 and -0.0 as equal, as a variable's definition does.
    case (l: Product, r: Product) =>
      l.getClass == r.getClass && l == r && arguments(l, r, _ => false)
    case _ => SameExpression.sameValue(null, left, right)
  }

  private def isExact(value: Any) = value match {
    case _: InternalRow | _: ArrayData | _: MapData => false
    case _ => true
  }
}
