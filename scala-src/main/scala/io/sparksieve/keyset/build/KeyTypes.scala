// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.build

import org.apache.spark.sql.types._

import io.sparksieve.common.SetEquality
import io.sparksieve.keyset.KeyType
import io.sparksieve.keyset.bytes.BytesKeyType
import io.sparksieve.keyset.longs.LongKeyType

/** Chooses the encoding of keys of a Spark type. */
private[sparksieve] object KeyTypes {

  /** Whether a key set can hold keys of `dataType`. */
  def supported(dataType: DataType): Boolean = of(dataType).nonEmpty

  /**
   * The encoding of `dataType`. None for strings with a collation, for the types CHAR and VARCHAR,
   * for nested types, for calendar intervals, and for every type that is not listed here.
   */
  def of(dataType: DataType): Option[KeyType] = dataType match {
    case BooleanType => Some(new LongKeyType.OfBoolean)
    case ByteType => Some(new LongKeyType.OfByte)
    case ShortType => Some(new LongKeyType.OfShort)
    case IntegerType | DateType | _: YearMonthIntervalType => Some(new LongKeyType.OfInt(dataType))
    case LongType | TimestampType | TimestampNTZType | _: DayTimeIntervalType =>
      Some(new LongKeyType.OfLong(dataType))
    case FloatType => Some(new LongKeyType.OfFloat)
    case DoubleType => Some(new LongKeyType.OfDouble)
    case d: DecimalType if d.precision <= Decimal.MAX_LONG_DIGITS =>
      Some(new LongKeyType.OfDecimal(d))
    case d: DecimalType => Some(new BytesKeyType.OfDecimal(d))
    case s: StringType if !SetEquality.merges(s) => Some(new BytesKeyType.OfString)
    case BinaryType => Some(new BytesKeyType.OfBinary)
    case other if isTime(other) => Some(new LongKeyType.OfLong(other))
    case _ => None
  }

  // By class name, because Spark has TIME (nanoseconds of the day in a long) only since 4.1.
  private def isTime(dataType: DataType) =
    dataType.getClass.getName == "org.apache.spark.sql.types.TimeType"
}
