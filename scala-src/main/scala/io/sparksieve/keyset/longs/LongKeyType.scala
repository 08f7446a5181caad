// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import org.apache.spark.sql.catalyst.expressions.{SpecializedGetters, UnsafeRow}
import org.apache.spark.sql.types._

import io.sparksieve.keyset.{KeySet, KeyType}
import io.sparksieve.keyset.encoding.{DecimalKeys, FloatKeys}

/**
 * A type whose values are encoded as longs in the type's own order, so that a range of longs is a
 * range of values. Integral numbers, dates, times and intervals keep their internal value; booleans
 * become 0 and 1; decimals become their unscaled value at the type's scale; floats are encoded by
 * [[FloatKeys]].
 */
private[sparksieve] abstract class LongKeyType(override val dataType: DataType) extends KeyType {

  /** Encodes the value at `ordinal`, which must not be NULL. */
  def encode(row: SpecializedGetters, ordinal: Int): Long

  /** Encodes a value in Spark's internal form. */
  def encodeValue(value: Any): Long

  /** The value, in Spark's internal form, that is encoded as `key`. */
  def decode(key: Long): Any

  /**
   * A Java expression of type long that encodes a value.
   *
   * @param value
   *   a Java expression for the value, in the form that Spark's generated code uses; evaluated once
   */
  def encodeCode(value: String): String

  override final def contains(keys: KeySet, row: SpecializedGetters, ordinal: Int): Boolean =
    keys.asInstanceOf[LongKeyFilter].contains(encode(row, ordinal))

  override final def containsCode(keys: String, value: String): String =
    s"$keys.contains(${encodeCode(value)})"
}

private[keyset] object LongKeyType {

  final class OfBoolean extends LongKeyType(BooleanType) {
    override def encode(row: SpecializedGetters, i: Int): Long = if (row.getBoolean(i)) 1L else 0L
    override def encodeValue(value: Any): Long = if (value.asInstanceOf[Boolean]) 1L else 0L
    override def decode(key: Long): Any = key != 0
    override def encodeCode(value: String): String = s"(($value) ? 1L : 0L)"
  }

  /** A type whose internal values are Java integers of some width. */
  sealed abstract class OfIntegral(dataType: DataType) extends LongKeyType(dataType) {
    override final def encodeValue(value: Any): Long = value.asInstanceOf[Number].longValue
    override final def encodeCode(value: String): String = s"((long) ($value))"
  }

  final class OfByte extends OfIntegral(ByteType) {
    override def encode(row: SpecializedGetters, i: Int): Long = row.getByte(i).toLong
    override def decode(key: Long): Any = key.toByte
  }

  final class OfShort extends OfIntegral(ShortType) {
    override def encode(row: SpecializedGetters, i: Int): Long = row.getShort(i).toLong
    override def decode(key: Long): Any = key.toShort
  }

  final class OfInt(dataType: DataType) extends OfIntegral(dataType) {
    override def encode(row: SpecializedGetters, i: Int): Long = row.getInt(i).toLong
    override def decode(key: Long): Any = key.toInt
  }

  final class OfLong(dataType: DataType) extends OfIntegral(dataType) {
    override def encode(row: SpecializedGetters, i: Int): Long = row.getLong(i)
    override def decode(key: Long): Any = key
  }

  final class OfFloat extends LongKeyType(FloatType) {
    override def encode(row: SpecializedGetters, i: Int): Long =
      FloatKeys.encodeFloat(row.getFloat(i))
    override def encodeValue(value: Any): Long = FloatKeys.encodeFloat(value.asInstanceOf[Float])
    override def decode(key: Long): Any = FloatKeys.decodeFloat(key)
    override def encodeCode(value: String): String =
      s"${FloatKeys.ClassName}.encodeFloat($value)"
  }

  final class OfDouble extends LongKeyType(DoubleType) {
    override def encode(row: SpecializedGetters, i: Int): Long =
      FloatKeys.encodeDouble(row.getDouble(i))
    override def encodeValue(value: Any): Long = FloatKeys.encodeDouble(value.asInstanceOf[Double])
    override def decode(key: Long): Any = FloatKeys.decodeDouble(key)
    override def encodeCode(value: String): String =
      s"${FloatKeys.ClassName}.encodeDouble($value)"
  }

  final class OfDecimal(decimals: DecimalType) extends LongKeyType(decimals) {
    override def encode(row: SpecializedGetters, i: Int): Long = row match {
      // UnsafeRow holds the unscaled long; getDecimal would allocate an object.
      case unsafe: UnsafeRow => unsafe.getLong(i)
      case _ => encodeValue(row.getDecimal(i, decimals.precision, decimals.scale))
    }
    override def encodeValue(value: Any): Long =
      DecimalKeys.unscaled(value.asInstanceOf[Decimal], decimals.scale)
    override def decode(key: Long): Any = Decimal(key, decimals.precision, decimals.scale)
    override def encodeCode(value: String): String =
      s"${DecimalKeys.ClassName}.unscaled($value, ${decimals.scale})"
  }
}
