// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.table

/**
 * A Bloom filter whose bits of one key all lie in one word of 64 bits, so that adding and testing a
 * key touch one cache line. With 12 bits for each key it is wrong for about 1 in 100 absent keys,
 * with 8 for about 3. (A filter that spreads the bits, like Spark's, needs a sixth fewer bits for
 * the same, but misses the cache once for each bit.)
 *
 * The upper bits of a mixed key choose the word, a second product chooses the bits in it.
 */
private[keyset] object BloomBits {

  /** Words for `keys` keys: 12 bits for each. */
  def wordsFor(keys: Long): Long = keys * 12 / 64 + 1

  private final val BitsOfKey = 4
  private final val Multiplier = 0x9e3779b97f4a7c15L

  /** Adds `key`. Returns whether that changed a bit: then the key was certainly absent. */
  def add(words: Array[Long], key: Long): Boolean = {
    val mixed = Hashing.mix(key)
    val word = Hashing.slotOf(mixed, words.length)
    val bits = bitsOf(mixed)
    val held = words(word)
    words(word) = held | bits
    (held & bits) != bits
  }

  /** Whether `key` may have been added. */
  def mayContain(words: Array[Long], key: Long): Boolean = {
    val mixed = Hashing.mix(key)
    val bits = bitsOf(mixed)
    (words(Hashing.slotOf(mixed, words.length)) & bits) == bits
  }

  // Shifts take the lowest 6 bits of the distance.
  private def bitsOf(mixed: Long): Long = {
    val h = mixed * Multiplier
    1L << (h >>> 58) | 1L << (h >>> 52) | 1L << (h >>> 46) | 1L << (h >>> 40)
  }

  /** Adds the keys of another filter, which must have as many words. */
  def addAll(words: Array[Long], other: Array[Long]): Unit = {
    require(words.length == other.length, "Bloom filters of different sizes have no union.")
    var i = 0
    while (i < words.length) {
      words(i) |= other(i)
      i += 1
    }
  }

  /**
   * The same filter with a power of two fewer words, but at least `atLeast`. Keys that were in
   * neighbouring words share one, because the word of a key is a fraction of their number.
   */
  def folded(words: Array[Long], atLeast: Long): Array[Long] = {
    var by = 1
    while (words.length % (2 * by) == 0 && words.length / (2 * by) >= atLeast) by *= 2
    if (by == 1) words
    else {
      val fewer = new Array[Long](words.length / by)
      var i = 0
      while (i < words.length) {
        fewer(i / by) |= words(i)
        i += 1
      }
      fewer
    }
  }

  /** An estimate of the number of keys, by the bits that are set in each word. */
  def count(words: Array[Long]): Long = {
    var keys = 0.0
    var i = 0
    while (i < words.length) {
      keys += KeysByBits(java.lang.Long.bitCount(words(i)))
      i += 1
    }
    math.round(keys)
  }

  // After n keys a bit is 0 with probability (63/64)^(4n). A word without any 0 may have any number
  // of keys; it counts as if half a bit were 0.
  private val KeysByBits = Array.tabulate(65) { bits =>
    math.log(math.max(64 - bits, 0.5) / 64) / (BitsOfKey * math.log(63.0 / 64))
  }
}
