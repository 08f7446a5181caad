// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.masks

import io.sparksieve.keyset.KeyBlock
import io.sparksieve.keyset.longs.{HashedKeySet, LongKeySet}

/**
 * Probes the sets one by one. Used where masks of the sets would take too much memory, or where
 * there is only one set.
 *
 * @param sets
 *   1 to [[KeyMasks.MostSets]] sets
 */
private[sparksieve] final class SeparateMasks(sets: Array[LongKeySet]) extends KeyMasks {

  /** Whether `key` is in set number `set`. */
  def holds(set: Int, key: Long): Boolean = sets(set).contains(key)

  override def size: Long = sets.map(_.size).sum

  override val width: Int = KeyMasks.widthFor(sets.length)

  override def maskOf(key: Long): Long = {
    var (mask, i) = (0L, 0)
    while (i < sets.length) {
      if (sets(i).contains(key)) mask |= 1L << i
      i += 1
    }
    mask
  }

  override def load(block: KeyBlock, count: Int, masks: Array[Long]): Unit = {
    var i = 0
    while (i < count) {
      masks(i) = 0L
      i += 1
    }
    i = 0
    while (i < sets.length) {
      add(sets(i), i, block, count, masks)
      i += 1
    }
  }

  private def add(
      set: LongKeySet,
      number: Int,
      block: KeyBlock,
      count: Int,
      masks: Array[Long]): Unit = {
    var i = 0
    set match {
      case hashed: HashedKeySet =>
        hashed.find(block, count)
        while (i < count) {
          masks(i) |= block.found(i).toLong << number
          i += 1
        }
      case _ =>
        while (i < count) {
          if (set.contains(block.keys(i))) masks(i) |= 1L << number
          i += 1
        }
    }
  }

  override def byteSize: Long = sets.map(_.byteSize).sum

  override def kind: String = "separate"
}
