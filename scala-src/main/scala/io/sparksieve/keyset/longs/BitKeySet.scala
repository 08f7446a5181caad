// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.util.function.LongConsumer

import io.sparksieve.keyset.{KeyRange, LargestGaps}
import io.sparksieve.keyset.table.Footprint

/**
 * A bitset with one bit for each long from `min` to `max`.
 *
 * @param words
 *   bit i of word w stands for the key min + 64 * w + i
 */
private[keyset] final class BitKeySet private[keyset] (
    override val min: Long,
    override val max: Long,
    override val size: Long,
    words: Array[Long])
    extends LongKeySet {

  override def contains(key: Long): Boolean = {
    val offset = key - min
    // Compare the key and not its offset: the offset of a key far below `min` wraps around.
    key >= min && key <= max && (words((offset >>> 6).toInt) >>> offset & 1L) != 0
  }

  override def byteSize: Long =
    Footprint.shell(longs = 3, references = 1) + Footprint.longs(words.length)

  override def kind: String = "bitset"

  override def forEach(consumer: LongConsumer): Unit = {
    var w = 0
    while (w < words.length) {
      var rest = words(w)
      while (rest != 0) {
        consumer.accept(min + (w.toLong << 6) + java.lang.Long.numberOfTrailingZeros(rest))
        rest &= rest - 1
      }
      w += 1
    }
  }

  override def sorted: Array[Long] = LongKeySets.toArray(this)

  override def ranges(atMost: Int): Seq[KeyRange] = {
    val gaps = new LargestGaps(atMost)
    forEach(key => gaps.add(key))
    gaps.ranges
  }
}

private[keyset] object BitKeySet {

  /** Number of words for the keys from `min` to `max`: at most 2^58^. */
  def words(min: Long, max: Long): Long = (max - min >>> 6) + 1

  /**
   * The set of the first `count` of `keys`. They must lie within the bounds, and the words for the
   * bounds must fit in an array.
   */
  def of(keys: Array[Long], count: Int, min: Long, max: Long): BitKeySet = {
    val bits = new Array[Long](words(min, max).toInt)
    var i = 0
    while (i < count) {
      val offset = keys(i) - min
      bits((offset >>> 6).toInt) |= 1L << offset
      i += 1
    }
    var (size, w) = (0L, 0)
    while (w < bits.length) {
      size += java.lang.Long.bitCount(bits(w))
      w += 1
    }
    new BitKeySet(min, max, size, bits)
  }
}
