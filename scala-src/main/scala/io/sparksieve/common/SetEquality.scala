// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.types._

/**
 * The equality that set operations, DISTINCT and join keys use. It merges values that expressions
 * can distinguish: -0.0 and 0.0, the bit patterns of NaN, and strings that are equal under a
 * collation. [[RespectsEquality]] finds expressions that cannot distinguish them.
 */
private[sparksieve] object SetEquality {

  /** Whether equality over `dataType` may treat two distinguishable values as equal. */
  def merges(dataType: DataType): Boolean = dataType match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType | NullType => false
    case DateType | TimestampType | TimestampNTZType | BinaryType => false
    case _: DecimalType | _: YearMonthIntervalType | _: DayTimeIntervalType => false
    case StringType => false
    case s: StructType => s.exists(f => merges(f.dataType))
    case a: ArrayType => merges(a.elementType)
    // Floats, strings with other collations, and every type that is not listed above.
    case _ => true
  }

  /** Whether only floats, which Spark can normalise, are merged in values of `dataType`. */
  def mergesFloatsOnly(dataType: DataType): Boolean = dataType match {
    case FloatType | DoubleType => true
    case s: StructType => s.forall(f => mergesFloatsOnly(f.dataType))
    case a: ArrayType => mergesFloatsOnly(a.elementType)
    case other => !merges(other)
  }
}
