package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters
import org.apache.spark.sql.types._

import io.sparksieve.common.SetEquality

/**
 * How values of a Spark type are held as keys of one column: as longs ([[LongKeyType]]) or as
 * bytes ([[BytesKeyType]]). Values are never NULL here; callers ask for NULL first.
 */
abstract class KeyType extends Serializable {

  def dataType: DataType

  /**
   * Whether the value at `ordinal` is in `keys`, a set that was built for this type.
   *
   * @throws ClassCastException
   *   if `keys` holds longs where this type needs bytes, or the other way round
   */
  def contains(keys: KeySet, row: SpecializedGetters, ordinal: Int): Boolean

  /**
   * A Java expression of type boolean: whether a set has a value.
   *
   * @param keys
   *   a Java expression for the set, best of the set's own class; evaluated once
   * @param value
   *   a Java expression for the value as Spark's generated code holds it; evaluated once
   */
  def containsCode(keys: String, value: String): String
}

object KeyType {

  /** Whether keys of `dataType` can be held. */
  def supported(dataType: DataType): Boolean = of(dataType).nonEmpty

  /**
   * How keys of `dataType` are held. None for strings of a collation and for CHAR and VARCHAR as
   * types, for nested types, for intervals of the calendar, and for every type not known here.
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

  // Known by name: Spark has TIME, nanoseconds of the day in a long, since 4.1.
  private def isTime(dataType: DataType) =
    dataType.getClass.getName == "org.apache.spark.sql.types.TimeType"
}
