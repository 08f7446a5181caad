// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.encoding

/**
 * Encodes floats as longs in Spark's order: -Infinity first, -0.0 equal to 0.0, and NaN of any bit
 * pattern last. Generated code calls it too.
 */
private[keyset] object FloatKeys {

  /** The class whose static methods generated code calls. */
  val ClassName: String = getClass.getName.stripSuffix("$")

  def encodeDouble(value: Double): Long = {
    // Adding 0.0 turns -0.0 into 0.0 and changes no other value. doubleToLongBits unifies all NaNs.
    val bits = java.lang.Double.doubleToLongBits(value + 0.0d)
    bits ^ ((bits >> 63) & Long.MaxValue)
  }

  def decodeDouble(key: Long): Double =
    java.lang.Double.longBitsToDouble(key ^ ((key >> 63) & Long.MaxValue))

  def encodeFloat(value: Float): Long = {
    val bits = java.lang.Float.floatToIntBits(value + 0.0f)
    (bits ^ ((bits >> 31) & Int.MaxValue)).toLong
  }

  def decodeFloat(key: Long): Float = {
    val bits = key.toInt
    java.lang.Float.intBitsToFloat(bits ^ ((bits >> 31) & Int.MaxValue))
  }
}
