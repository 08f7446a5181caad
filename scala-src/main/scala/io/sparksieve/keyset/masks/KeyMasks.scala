// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.masks

import io.sparksieve.keyset.{KeyBlock, KeySet}
import io.sparksieve.keyset.longs.LongKeySet

/**
 * Combines several sets of longs: one lookup of a key returns a bitmask of the sets that contain
 * it. [[size]] counts the distinct keys of all sets, except that [[SeparateMasks]] counts a key
 * once for each set that contains it.
 */
private[sparksieve] abstract class KeyMasks extends KeySet {

  /** Bits of a mask: a power of two that is not less than the number of sets. */
  def width: Int

  /** The mask of `key`: bit i is 1 if `key` is in set number i; all other bits are 0. */
  def maskOf(key: Long): Long

  /**
   * Writes the masks of the first `count` keys of a block to `masks`. Looks up whole blocks in
   * loops with few unpredictable branches, so that cache misses overlap.
   */
  def load(block: KeyBlock, count: Int, masks: Array[Long]): Unit
}

/** Builds masks. */
private[sparksieve] object KeyMasks {

  /** The greatest number of sets: a mask is a long. */
  final val MostSets = 64

  /**
   * Builds the masks of `sets`.
   *
   * @param maxBytes
   *   greatest memory of the masks while they are built, without the memory of the sets
   * @return
   *   None if the masks would take more memory, or if a set is not a [[LongKeySet]]
   */
  def of(sets: Seq[KeySet], maxBytes: Long): Option[KeyMasks] = {
    require(sets.nonEmpty && sets.size <= MostSets, s"There are masks of 1 to $MostSets sets.")
    val longs = sets.collect { case s: LongKeySet => s }
    val (some, width) = (longs.filterNot(_.isEmpty), widthFor(sets.size))
    if (longs.size < sets.size) None
    else if (some.isEmpty) Some(new DenseKeyMasks(0, 0, 0, width, new Array[Long](1)))
    else {
      val (min, max) = (some.map(_.min).min, some.map(_.max).max)
      val dense = DenseKeyMasks.bytes(min, max, width)
      val hashed = HashedKeyMasks.bytes(some.map(_.size).sum, width)
      val built = whileBuilt(hashed)
      if (math.min(dense, built) > maxBytes) None
      else if (dense <= hashed || built > maxBytes)
        Some(DenseKeyMasks.of(longs, min, max, width))
      else Some(HashedKeyMasks.of(longs, width))
    }
  }

  /**
   * The bytes that hashed masks of `bytes` take while they are built: they are built twice if at most
   * half of the added keys are distinct.
   */
  private[keyset] def whileBuilt(bytes: Long): Long =
    if (bytes > Long.MaxValue / 2) Long.MaxValue else bytes / 2 * 3

  /** The least power of two that is not below `sets`, so that no mask spans two longs. */
  private[keyset] def widthFor(sets: Int): Int = {
    val highest = Integer.highestOneBit(sets)
    if (highest == sets) sets else 2 * highest
  }

  /** A long whose lowest `width` bits are 1. */
  private[keyset] def low(width: Int): Long = -1L >>> (64 - width)
}
