package io.sparksieve.keyset

/**
 * A bit or two a key that say of seven absent keys in eight that they are absent. They lie in a
 * nearer cache than the slots do, and the branch on them is one that a processor foresees: rows
 * that are filtered are absent nearly all, or present nearly all.
 *
 * The highest bits of a mixed key choose a word, the lowest a bit of it.
 */
private[keyset] object Presence {

  private val BitsPerKey = 8

  /** Words for `keys` keys: a power of two, and at least two. */
  def words(keys: Long): Long =
    math.max(2L, java.lang.Long.highestOneBit(math.max(1L, keys * BitsPerKey / 64 * 2 - 1)))

  /** How far a mixed key is shifted to leave the number of its word. */
  def shift(words: Int): Int = 64 - Integer.numberOfTrailingZeros(words)

  /** The bits of no key. */
  def empty(keys: Long): Array[Long] = new Array[Long](words(keys).toInt)

  def set(bits: Array[Long], mixed: Long): Unit = {
    val word = (mixed >>> shift(bits.length)).toInt
    bits(word) |= 1L << mixed
  }
}
