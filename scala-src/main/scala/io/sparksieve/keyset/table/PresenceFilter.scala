// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.table

/**
 * A bitmap of about 8 to 16 bits per key, one of which is set for each key. It rejects at least
 * about seven of eight absent keys. The bitmap lies in a nearer cache than the slots, and the
 * branch on its result is predictable: usually nearly all keys of the filtered rows are absent, or
 * nearly all are present.
 *
 * The highest bits of a mixed key choose a word, the lowest 6 bits choose a bit of the word.
 */
private[keyset] object PresenceFilter {

  private val BitsPerKey = 8

  /** Number of words for `keys` keys: a power of two, and at least 2. */
  def words(keys: Long): Long =
    math.max(2L, java.lang.Long.highestOneBit(math.max(1L, keys * BitsPerKey / 64 * 2 - 1)))

  /** The right shift that turns a mixed key into the number of its word. */
  def shift(words: Int): Int = 64 - Integer.numberOfTrailingZeros(words)

  /** A bitmap for `keys` keys, without any key. */
  def empty(keys: Long): Array[Long] = new Array[Long](words(keys).toInt)

  def set(bits: Array[Long], mixed: Long): Unit = {
    val word = (mixed >>> shift(bits.length)).toInt
    bits(word) |= 1L << mixed
  }
}
