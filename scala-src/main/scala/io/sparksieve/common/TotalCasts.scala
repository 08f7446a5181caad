// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.types._

/**
 * Tests whether a cast has a result for every value of its source type, with ANSI mode on and off.
 * Fewer casts pass than Spark allows as upcasts: a date, or a timestamp of another time zone, may
 * lie outside the range of a timestamp, both at the top level and within arrays and structs.
 */
private[common] object TotalCasts {

  def apply(from: DataType, to: DataType): Boolean = (from, to) match {
    case (ArrayType(f, _), ArrayType(t, _)) => apply(f, t)
    case (StructType(fs), StructType(ts)) =>
      fs.length == ts.length && fs.zip(ts).forall { case (f, t) => apply(f.dataType, t.dataType) }
    case _ if from == to => Types.isPlain(from) || Types.isString(from)
    case (_, StringType) => hasText(from)
    case (_, BooleanType) => Types.isPrimitiveNumber(from) || Types.isDecimal(from)
    case (BooleanType, _) => Types.isPrimitiveNumber(to)
    case (_, d: DecimalType) => Types.isDecimal(to) && holdsAll(from, d)
    case (_, DoubleType | FloatType) => Types.isPrimitiveNumber(from) || Types.isDecimal(from)
    case (StringType, BinaryType) => true
    case (TimestampType | TimestampNTZType, DateType) => true
    case _ => Types.isIntegral(from) && Types.isIntegral(to) && from.defaultSize <= to.defaultSize
  }

  /** Whether every value can be cast to a string. */
  private def hasText(from: DataType): Boolean = from match {
    case ArrayType(element, _) => hasText(element)
    case StructType(fields) => fields.forall(f => hasText(f.dataType))
    case MapType(key, value, _) => hasText(key) && hasText(value)
    case _ => Types.isPlain(from) || Types.isBinaryString(from)
  }

  private def holdsAll(from: DataType, to: DecimalType): Boolean = from match {
    case d: DecimalType =>
      d.scale >= 0 && d.scale <= to.scale && d.precision - d.scale <= to.precision - to.scale
    case _ => digits(from).exists(_ <= to.precision - to.scale)
  }

  private def digits(integral: DataType): Option[Int] = integral match {
    case ByteType => Some(3)
    case ShortType => Some(5)
    case IntegerType => Some(10)
    case LongType => Some(19)
    case _ => None
  }
}
