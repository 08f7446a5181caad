// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.masks

import io.sparksieve.keyset.KeyBlock
import io.sparksieve.keyset.longs.LongKeySet
import io.sparksieve.keyset.table.Footprint

/**
 * An array with a mask for each long from `min` to `max`.
 *
 * @param words
 *   the mask of key k is the `width` bits that start at bit (k - min) * width
 */
private[sparksieve] final class DenseKeyMasks private[keyset] (
    min: Long,
    max: Long,
    override val size: Long,
    override val width: Int,
    words: Array[Long])
    extends KeyMasks {

  private val shift = Integer.numberOfTrailingZeros(width)
  private val low = KeyMasks.low(width)
  // Biased for an unsigned comparison: the offset of a key below `min` wraps around.
  private val last = max - min + Long.MinValue

  override def maskOf(key: Long): Long = {
    val offset = key - min
    if (offset + Long.MinValue > last) 0L
    else {
      val bit = offset << shift
      words((bit >>> 6).toInt) >>> bit & low
    }
  }

  override def load(block: KeyBlock, count: Int, masks: Array[Long]): Unit = {
    val keys = block.keys
    var i = 0
    while (i < count) {
      masks(i) = maskOf(keys(i))
      i += 1
    }
  }

  override def byteSize: Long =
    Footprint.shell(longs = 4, references = 1, ints = 2) + Footprint.longs(words.length)

  override def kind: String = s"masks of $width bits"
}

private[keyset] object DenseKeyMasks {

  /** Bytes of the array that [[of]] allocates; Long.MaxValue if no array is that long. */
  def bytes(min: Long, max: Long, width: Int): Long = {
    val span = max - min
    if (span < 0 || span >> 6 > Footprint.LongestArray) Long.MaxValue
    else {
      val count = words(span, width)
      if (count > Footprint.LongestArray) Long.MaxValue else Footprint.longs(count)
    }
  }

  private def words(span: Long, width: Int) = (span * width + width - 1 >>> 6) + 1

  /** The masks of `sets`, whose keys must lie from `min` to `max`. At least one set has a key. */
  def of(sets: Seq[LongKeySet], min: Long, max: Long, width: Int): DenseKeyMasks = {
    val masks = new Array[Long](words(max - min, width).toInt)
    sets.zipWithIndex.foreach { case (set, number) =>
      set.forEach { key =>
        val bit = (key - min) * width + number
        masks((bit >>> 6).toInt) |= 1L << bit
      }
    }
    new DenseKeyMasks(min, max, members(masks, width), width, masks)
  }

  /** Number of masks that are not 0. */
  private def members(words: Array[Long], width: Int) = {
    val low = KeyMasks.low(width)
    var (count, w) = (0L, 0)
    while (w < words.length) {
      var bit = 0
      while (bit < 64) {
        if ((words(w) >>> bit & low) != 0) count += 1
        bit += width
      }
      w += 1
    }
    count
  }
}
