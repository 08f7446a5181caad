// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

import java.math.BigDecimal
import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.catalyst.expressions.{Cast, Literal, SpecializedGetters}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.{ByteArray, UTF8String}

import io.sparksieve.common.SetEquality

/**
 * Encodes the values of a column, such that the order of the codes is the order of sources'
 * statistics. Codes are `java.lang.Long`, [[TextCode]] or `BigDecimal`.
 */
private[advice] sealed abstract class Coding(val dataType: DataType) extends Serializable {

  /** Encodes a value in Spark's internal form, which must not be null. */
  def encode(value: Any): AnyRef

  def decode(code: AnyRef): Any

  /** Where a code is on an axis; None for text. */
  def position(code: AnyRef): Option[Double]

  /** Encodes a value in the form that Spark's source filters have; it must not be null. */
  def ofExternal(value: Any): AnyRef = encode(
    CatalystTypeConverters.createToCatalystConverter(dataType)(value))

  /** The value as a user would read it. */
  def text(code: AnyRef): String = {
    val zone = SQLConf.get.sessionLocalTimeZone
    Cast(Literal(decode(code), dataType), StringType, Some(zone)).eval().toString
  }
}

/** The bytes of a text, in the order of unsigned bytes. */
private[advice] final class TextCode(val bytes: Array[Byte])
    extends Comparable[TextCode]
    with Serializable {

  override def compareTo(other: TextCode): Int = ByteArray.compareBinary(bytes, other.bytes)

  /** The first bytes. */
  def start(length: Int): TextCode =
    if (bytes.length <= length) this else new TextCode(Arrays.copyOf(bytes, length))

  override def equals(other: Any): Boolean = other match {
    case text: TextCode => Arrays.equals(bytes, text.bytes)
    case _ => false
  }

  override def hashCode: Int = Arrays.hashCode(bytes)

  override def toString: String = new String(bytes, UTF_8)
}

private[advice] object Coding {

  /** None for types by whose statistics no source skips, and for collated text. */
  def of(dataType: DataType): Option[Coding] = dataType match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType | DateType | TimestampType |
        TimestampNTZType | FloatType | DoubleType =>
      Some(new Longs(dataType))
    case d: DecimalType if d.precision <= Decimal.MAX_LONG_DIGITS => Some(new Longs(d))
    case d: DecimalType => Some(new Decimals(d))
    case s: StringType if !SetEquality.merges(s) => Some(new Text(s))
    case _ => None
  }

  /** Compares two codes of one column. */
  def compare(a: AnyRef, b: AnyRef): Int =
    a.asInstanceOf[Comparable[AnyRef]].compareTo(b)

  /** Types whose values fit a long. */
  final class Longs(dataType: DataType) extends Coding(dataType) {

    /** Whether codes are the values themselves, as they are in sets of keys. */
    def isPlain: Boolean = dataType != FloatType && dataType != DoubleType

    /** The code of the value at `ordinal`, which is not null. */
    def read(row: SpecializedGetters, ordinal: Int): Long = dataType match {
      case BooleanType => if (row.getBoolean(ordinal)) 1L else 0L
      case ByteType => row.getByte(ordinal).toLong
      case ShortType => row.getShort(ordinal).toLong
      case IntegerType | DateType => row.getInt(ordinal).toLong
      case FloatType => ofDouble(row.getFloat(ordinal).toDouble)
      case DoubleType => ofDouble(row.getDouble(ordinal))
      case d: DecimalType => row.getDecimal(ordinal, d.precision, d.scale).toUnscaledLong
      case _ => row.getLong(ordinal)
    }

    override def encode(value: Any): AnyRef = Long.box(value match {
      case b: Boolean => if (b) 1L else 0L
      case f: Float => ofDouble(f.toDouble)
      case d: Double => ofDouble(d)
      case d: Decimal => d.toUnscaledLong
      case other => other.asInstanceOf[Number].longValue
    })

    override def decode(code: AnyRef): Any = {
      val long = code.asInstanceOf[java.lang.Long].longValue
      dataType match {
        case BooleanType => long != 0
        case ByteType => long.toByte
        case ShortType => long.toShort
        case IntegerType | DateType => long.toInt
        case FloatType => toDouble(long).toFloat
        case DoubleType => toDouble(long)
        case d: DecimalType => Decimal(long, d.precision, d.scale)
        case _ => long
      }
    }

    override def position(code: AnyRef): Option[Double] = {
      val long = code.asInstanceOf[java.lang.Long].longValue
      Some(dataType match {
        case FloatType | DoubleType => toDouble(long)
        case _ => long.toDouble
      })
    }
  }

  /** Decimals that do not fit a long. */
  private final class Decimals(decimal: DecimalType) extends Coding(decimal) {
    override def encode(value: Any): AnyRef = value.asInstanceOf[Decimal].toJavaBigDecimal
    override def decode(code: AnyRef): Any =
      Decimal(code.asInstanceOf[BigDecimal], decimal.precision, decimal.scale)
    override def position(code: AnyRef): Option[Double] =
      Some(code.asInstanceOf[BigDecimal].doubleValue)
  }

  final class Text(text: StringType) extends Coding(text) {
    override def encode(value: Any): AnyRef = new TextCode(value.asInstanceOf[UTF8String].getBytes)
    override def decode(code: AnyRef): Any = UTF8String.fromBytes(code.asInstanceOf[TextCode].bytes)
    override def position(code: AnyRef): Option[Double] = None
  }

  // The bits of a double, ordered as the numbers; -0.0 is 0.0, as it is for Spark's comparisons.
  private def ofDouble(value: Double): Long = flipped(
    java.lang.Double.doubleToLongBits(if (value == 0.0) 0.0 else value))

  private def toDouble(code: Long): Double = java.lang.Double.longBitsToDouble(flipped(code))

  private def flipped(bits: Long): Long = if (bits < 0) bits ^ Long.MaxValue else bits
}
