package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.types._

/**
 * The equality by which set operations, DISTINCT and join keys compare rows. It merges values
 * that other expressions can tell apart: -0.0 and 0.0, the bit patterns of NaN, and strings that
 * a collation holds equal.
 */
object SetEquality {

  /** Whether equality over `dataType` may hold two distinguishable values equal. */
  def merges(dataType: DataType): Boolean = dataType match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType | NullType => false
    case DateType | TimestampType | TimestampNTZType | BinaryType => false
    case _: DecimalType | _: YearMonthIntervalType | _: DayTimeIntervalType => false
    case StringType => false
    case s: StructType => s.exists(f => merges(f.dataType))
    case a: ArrayType => merges(a.elementType)
    // Floats, strings of other collations, and every type that is not known to be plain.
    case _ => true
  }

  /** Whether the merged values of `dataType` are floats alone, which Spark can normalise. */
  def mergesFloatsOnly(dataType: DataType): Boolean = dataType match {
    case FloatType | DoubleType => true
    case s: StructType => s.forall(f => mergesFloatsOnly(f.dataType))
    case a: ArrayType => mergesFloatsOnly(a.elementType)
    case other => !merges(other)
  }

  /**
   * Whether `e` has the same value for rows that are equal: such values are only compared, by
   * the same equality and order, and only tested for NULL and NaN.
   */
  def respectedBy(e: Expression): Boolean = e match {
    case c: BinaryComparison => c.children.forall(operand)
    case _: IsNull | _: IsNotNull | _: IsNaN => e.children.forall(operand)
    // A long IN becomes a hash set, which is known to respect the equality of floats alone.
    case In(value, list) => (value +: list).forall(element)
    case InSet(value, _) => element(value)
    case f: GetStructField if path(f) => !merges(f.dataType)
    case other if compared(other) => false
    case other => other.children.forall(respectedBy)
  }

  private def operand(e: Expression): Boolean = compared(e) || respectedBy(e)

  private def element(e: Expression): Boolean = operand(e) && mergesFloatsOnly(e.dataType)

  /** A column whose type merges values, or a field of one, as a comparison may use it. */
  private def compared(e: Expression): Boolean = e match {
    case a: Attribute => merges(a.dataType)
    case f: GetStructField => merges(f.dataType) && path(f)
    case c: Cast => c.child.dataType == FloatType && c.dataType == DoubleType && compared(c.child)
    case _ => false
  }

  private def path(e: Expression): Boolean = e match {
    case GetStructField(child, _, _) => path(child)
    case _: Attribute => true
    case _ => false
  }
}
