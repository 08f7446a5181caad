// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.encoding

import java.math.{BigDecimal => JavaDecimal, BigInteger, RoundingMode}

import org.apache.spark.sql.types.Decimal

/** Encodes decimals of one type as keys. Generated code calls it too. */
private[keyset] object DecimalKeys {

  /** The class whose static methods generated code calls. */
  val ClassName: String = getClass.getName.stripSuffix("$")

  /** Bytes of a wide key: 38 digits and a sign need 128 bits. */
  private final val Width = 16

  /** The unscaled value at `scale` of a decimal of at most 18 digits. */
  def unscaled(value: Decimal, scale: Int): Long =
    if (value.scale == scale) value.toUnscaledLong else rescaled(value, scale).longValue

  /** The unscaled value at `scale` as 16 bytes, whose unsigned order is the decimals' order. */
  def bytes(value: Decimal, scale: Int): Array[Byte] = {
    val digits = rescaled(value, scale).toByteArray
    val key = new Array[Byte](Width)
    val gap = Width - digits.length
    if (digits(0) < 0) java.util.Arrays.fill(key, 0, gap, -1: Byte)
    System.arraycopy(digits, 0, key, gap, digits.length)
    key(0) = (key(0) ^ 0x80).toByte
    key
  }

  /** The decimal that [[bytes]] encoded as `key`, with this precision and scale. */
  def decimal(key: Array[Byte], precision: Int, scale: Int): Decimal = {
    val digits = key.clone()
    digits(0) = (digits(0) ^ 0x80).toByte
    Decimal(new JavaDecimal(new BigInteger(digits), scale), precision, scale)
  }

  // A row may hold a decimal of a smaller scale than its column's type has. That needs no rounding.
  private def rescaled(value: Decimal, scale: Int): BigInteger = {
    val exact = value.toJavaBigDecimal
    val fitting = if (exact.scale == scale) exact else exact.setScale(scale, RoundingMode.HALF_UP)
    fitting.unscaledValue
  }
}
