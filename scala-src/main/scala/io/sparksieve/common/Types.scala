// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types._

/** Allow-lists of types. Proofs assume nothing about a type that is on no list. */
private[sparksieve] object Types {

  /** Whether any two values can be compared for equality and for order. */
  def isComparable(dataType: DataType): Boolean = dataType match {
    case ArrayType(element, _) => isComparable(element)
    case StructType(fields) => fields.forall(f => isComparable(f.dataType))
    case _ => isPlain(dataType) || isString(dataType)
  }

  /** Whether the hash of a value depends only on its bytes. */
  def isHashable(dataType: DataType): Boolean = dataType match {
    case ArrayType(element, _) => isHashable(element)
    case StructType(fields) => fields.forall(f => isHashable(f.dataType))
    case _ => isPlain(dataType) || isBinaryString(dataType)
  }

  /** Numbers, dates, timestamps, intervals that have an order, BOOLEAN and BINARY. */
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

  /** Whether it is a DECIMAL without a negative scale, which a legacy config allows. */
  def isDecimal(dataType: DataType): Boolean = dataType match {
    case d: DecimalType => d.scale >= 0
    case _ => false
  }

  /** Whether it is a STRING with any collation, but neither CHAR nor VARCHAR. */
  def isString(dataType: DataType): Boolean = dataType match {
    case _: CharType | _: VarcharType => false
    case _: StringType => true
    case _ => false
  }

  /** Whether it is a STRING with the default collation, which compares bytes. */
  def isBinaryString(dataType: DataType): Boolean = dataType == StringType

  def areBinaryStrings(expressions: Expression*): Boolean =
    expressions.forall(e => isBinaryString(e.dataType))
}
