// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import io.sparksieve.common.Numbers
import io.sparksieve.keyset.KeyRange
import io.sparksieve.keyset.table.{BloomBits, Footprint}

/**
 * More keys than an exact set may hold, as a Bloom filter: [[contains]] is true for every key, and
 * for a few others between `min` and `max`.
 *
 * @param size
 *   an estimate of the number of distinct keys, at least 1
 * @param words
 *   see [[BloomBits]]
 * @param covers
 *   the ends of disjoint ranges that hold all keys, low and high in turn, ascending
 */
private[keyset] final class BloomKeySet private[keyset] (
    override val min: Long,
    override val max: Long,
    override val size: Long,
    private[keyset] val words: Array[Long],
    covers: Array[Long])
    extends LongKeyFilter {

  override def contains(key: Long): Boolean =
    key >= min && key <= max && BloomBits.mayContain(words, key)

  override def ranges(atMost: Int): Seq[KeyRange] = CoarseRanges.merged(covers, atMost)

  override def byteSize: Long =
    Footprint.shell(longs = 3, references = 2) + Footprint.longs(words.length) +
      Footprint.longs(covers.length)

  override def kind: String = "bloom"

  override def summary: String = s"about ${Numbers.counted(size, "key")} in a Bloom filter"
}

/**
 * Only ranges that have all keys: there are more than a Bloom filter may hold, or they fill their
 * ranges.
 *
 * @param size
 *   an estimate of the number of distinct keys, too low if they are more than a filter may hold
 * @param covers
 *   as in [[BloomKeySet]]
 */
private[keyset] final class RangesKeySet private[keyset] (
    override val size: Long,
    private[keyset] val covers: Array[Long])
    extends LongKeyFilter {

  override def min: Long = covers(0)

  override def max: Long = covers(covers.length - 1)

  override def contains(key: Long): Boolean = {
    // An end is in its range; any other key is in a range if an odd number of ends is below it.
    val place = java.util.Arrays.binarySearch(covers, key)
    place >= 0 || (-place - 1) % 2 == 1
  }

  override def ranges(atMost: Int): Seq[KeyRange] = CoarseRanges.merged(covers, atMost)

  override def byteSize: Long =
    Footprint.shell(longs = 1, references = 1) + Footprint.longs(covers.length)

  override def kind: String = "ranges"

  override def summary: String =
    s"about ${Numbers.counted(size, "key")} or more in " +
      Numbers.counted(covers.length / 2L, "range")
}

/**
 * What a builder may keep of keys that are too many for an exact set.
 *
 * @param keys
 *   the most keys in a Bloom filter; of more, only ranges are kept
 * @param bytes
 *   the bytes of the filter while keys are collected, at least 1; the filter of a result may be
 *   smaller. Filters of parts of the same keys must have the same number of bytes.
 */
private[sparksieve] final case class BloomCaps(keys: Long, bytes: Long) {
  require(keys >= 1, s"At least one key must be allowed, not $keys.")
  require(bytes >= 1, s"At least one byte must be allowed, not $bytes.")

  /** The length of the filter: a multiple of 1024, if that fits, so that it can be folded. */
  private[keyset] def words: Int = {
    val fit = math.min(math.max(bytes / 8, 1), Footprint.LongestArray)
    (if (fit < 1024) fit else fit & ~1023L).toInt
  }
}
