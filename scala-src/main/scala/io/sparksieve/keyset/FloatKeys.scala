package io.sparksieve.keyset

/**
 * Floats as longs in Spark's order: -Infinity first, -0.0 and 0.0 as one, NaN of whatever bits
 * last. For generated code too.
 */
object FloatKeys {

  def encodeDouble(value: Double): Long = {
    // The sum makes 0.0 of -0.0 and nothing of the rest; doubleToLongBits makes one NaN of all.
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
