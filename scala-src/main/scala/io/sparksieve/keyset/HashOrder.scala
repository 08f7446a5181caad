package io.sparksieve.keyset

/**
 * Puts keys into an order in which a table of open addressing takes them from one end to the other,
 * a stretch that lies in a near cache at a time. In another order nearly every key of a large table
 * waits for memory, which takes ten times as long as putting them in order does.
 */
private[keyset] object HashOrder {

  /** With fewer keys the table itself lies in a near cache. */
  final val Fewest = 1 << 14

  // A stretch of so many keys, and no more stretches than a processor writes to at a time.
  private final val KeysOfStretch = 1 << 11
  private final val MostBits = 9

  /** Bytes of what [[apply]] yields. */
  def bytes(count: Long): Long =
    if (count < Fewest) 0 else Footprint.longs(count) + Footprint.ints((1L << MostBits) + 1)

  /**
   * The first `count` of `keys`, by the highest bits of their mixed form; few of them as they are,
   * in the same array.
   *
   * @param salt
   *   what keys are crossed with before they are mixed: [[Mix.BuildSalt]], or 0 for a set
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
        val stretch = (Mix.mix(key ^ salt) >>> shift).toInt
        ordered(next(stretch)) = key
        next(stretch) += 1
        i += 1
      }
      ordered
    }

  /** Where each stretch begins. */
  private def starts(keys: Array[Long], count: Int, salt: Long, bits: Int): Array[Int] = {
    val shift = 64 - bits
    val starts = new Array[Int]((1 << bits) + 1)
    var i = 0
    while (i < count) {
      starts((Mix.mix(keys(i) ^ salt) >>> shift).toInt + 1) += 1
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
