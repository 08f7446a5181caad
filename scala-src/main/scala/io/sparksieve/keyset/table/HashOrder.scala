// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.table

/**
 * Partitions keys by the position of their first slot in a hash table with open addressing. Adding
 * the keys in this order fills one stretch of slots after another, each small enough for a near
 * cache. In any other order, nearly every key of a large table is a cache miss, which takes ten
 * times as long as the partitioning.
 */
private[keyset] object HashOrder {

  /** Fewer keys are not ordered, because their table itself fits in a near cache. */
  final val Fewest = 1 << 14

  // The least number of keys per stretch, and the bits of the greatest number of stretches: a
  // processor can write to only so many memory areas at a time.
  private final val KeysOfStretch = 1 << 11
  private final val MostBits = 9

  /** Bytes that [[apply]] allocates. */
  def bytes(count: Long): Long =
    if (count < Fewest) 0 else Footprint.longs(count) + Footprint.ints((1L << MostBits) + 1)

  /**
   * The first `count` of `keys`, ordered by the highest bits of their mixed form. If there are
   * fewer than [[Fewest]] keys, returns the array `keys` itself, unordered.
   *
   * @param salt
   *   XORed with the keys before they are mixed: [[Hashing.BuildSalt]] for the growing table, or 0
   *   for a set
   */
  def apply(keys: Array[Long], count: Int, salt: Long): Array[Long] =
    if (count < Fewest) keys
    else {
      val bits = math.min(MostBits, 31 - Integer.numberOfLeadingZeros(count / KeysOfStretch))
      val shift = 64 - bits
      val next = starts(keys, count, salt, bits)
      val ordered = new Array[Long](count)
      var i = 0
      while (i < count) {
        val key = keys(i)
        val stretch = (Hashing.mix(key ^ salt) >>> shift).toInt
        ordered(next(stretch)) = key
        next(stretch) += 1
        i += 1
      }
      ordered
    }

  /** The index at which each stretch begins. */
  private def starts(keys: Array[Long], count: Int, salt: Long, bits: Int): Array[Int] = {
    val shift = 64 - bits
    val starts = new Array[Int]((1 << bits) + 1)
    var i = 0
    while (i < count) {
      starts((Hashing.mix(keys(i) ^ salt) >>> shift).toInt + 1) += 1
      i += 1
    }
    var s = 1
    while (s < starts.length) {
      starts(s) += starts(s - 1)
      s += 1
    }
    starts
  }
}
