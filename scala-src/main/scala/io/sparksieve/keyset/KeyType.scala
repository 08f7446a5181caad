// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters
import org.apache.spark.sql.types._

import io.sparksieve.common.SetEquality
import io.sparksieve.keyset.bytes.BytesKeyType
import io.sparksieve.keyset.longs.LongKeyType

/**
 * Encodes values of a Spark type as keys of one column: as longs ([[LongKeyType]]) or as bytes
 * ([[BytesKeyType]]). Values must not be NULL; callers test for NULL first.
 */
private[sparksieve] abstract class KeyType extends Serializable {

  def dataType: DataType

  /**
   * Whether the value at `ordinal` is in `keys`, a set that was built for this type.
   *
   * @throws ClassCastException
   *   if `keys` holds longs where this type needs bytes, or the other way round
   */
  def contains(keys: KeySet, row: SpecializedGetters, ordinal: Int): Boolean

  /**
   * A Java expression of type boolean that tests whether a set contains a value.
   *
   * @param keys
   *   a Java expression for the set, preferably typed as its concrete class; evaluated once
   * @param value
   *   a Java expression for the value, in the form that Spark's generated code uses; evaluated once
   */
  def containsCode(keys: String, value: String): String
}

private[sparksieve] object KeyType {

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
