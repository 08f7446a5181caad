package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types._

/** Allow-lists of types. A type that is on none is one that proofs know nothing of. */
object Types {

  /** Whether any two values can be compared for equality and for order. */
  def isComparable(dataType: DataType): Boolean = dataType match {
    case ArrayType(element, _) => isComparable(element)
    case StructType(fields) => fields.forall(f => isComparable(f.dataType))
    case _ => isPlain(dataType) || isString(dataType)
  }

  /** Whether any value has a hash that depends on nothing but its bytes. */
  def isHashable(dataType: DataType): Boolean = dataType match {
    case ArrayType(element, _) => isHashable(element)
    case StructType(fields) => fields.forall(f => isHashable(f.dataType))
    case _ => isPlain(dataType) || isBinaryString(dataType)
  }

  /** Numbers, days, times, intervals that have an order, BOOLEAN and BINARY. */
  def isPlain(dataType: DataType): Boolean = dataType match {
    case BooleanType | BinaryType | DateType | TimestampType | TimestampNTZType => true
    case _: YearMonthIntervalType | _: DayTimeIntervalType => true
    case _ => isPrimitiveNumber(dataType) || isDecimal(dataType)
  }

  def isPrimitiveNumber(dataType: DataType): Boolean = isIntegral(dataType) || isFloat(dataType)

  def isIntegral(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | LongType => true
    case _ => false
  }

  def isFloat(dataType: DataType): Boolean = dataType == DoubleType || dataType == FloatType

  /** Not those of a negative scale, which a legacy config allows. */
  def isDecimal(dataType: DataType): Boolean = dataType match {
    case d: DecimalType => d.scale >= 0
    case _ => false
  }

  /** STRING of any collation, but neither CHAR nor VARCHAR. */
  def isString(dataType: DataType): Boolean = dataType match {
    case _: CharType | _: VarcharType => false
    case _: StringType => true
    case _ => false
  }

  /** STRING as Spark compares it by default: by its bytes. */
  def isBinaryString(dataType: DataType): Boolean = dataType == StringType

  def areBinaryStrings(expressions: Expression*): Boolean =
    expressions.forall(e => isBinaryString(e.dataType))
}
