// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.masks

import java.util.Arrays

import io.sparksieve.keyset.KeyBlock
import io.sparksieve.keyset.longs.LongKeySet
import io.sparksieve.keyset.table.{Footprint, Hashing}

/**
 * A hash table from any longs to masks, with open addressing and linear probing; at least half of
 * the slots are free.
 *
 * @param free
 *   the content of a free slot: a long that is not a key
 * @param slots
 *   the keys; at least one slot is free, so every probe ends
 * @param words
 *   the mask of the key in slot s is the `width` bits that start at bit s * width. The mask of a
 *   free slot is 0, so a lookup of the value of `free` itself finds nothing.
 */
private[sparksieve] final class HashedKeyMasks private[keyset] (
    override val size: Long,
    override val width: Int,
    free: Long,
    slots: Array[Long],
    words: Array[Long])
    extends KeyMasks {

  private val low = KeyMasks.low(width)

  override def maskOf(key: Long): Long = from(key, Hashing.slot(key, slots.length))

  /** The mask of a key, probing from `slot` on. */
  private def from(key: Long, slot: Int): Long = {
    var i = slot
    while (true) {
      val held = slots(i)
      if (held == key) return maskAt(i)
      if (held == free) return 0L
      i += 1
      if (i == slots.length) i = 0
    }
    0L
  }

  private def maskAt(slot: Int): Long = {
    val bit = slot.toLong * width
    words((bit >>> 6).toInt) >>> bit & low
  }

  override def load(block: KeyBlock, count: Int, masks: Array[Long]): Unit = {
    val keys = block.keys
    val at = block.slots
    val held = block.held
    var i = 0
    while (i < count) {
      at(i) = Hashing.slot(keys(i), slots.length)
      i += 1
    }
    i = 0
    while (i < count) {
      held(i) = slots(at(i))
      masks(i) = maskAt(at(i))
      i += 1
    }
    i = 0
    while (i < count) {
      if (held(i) != keys(i) && held(i) != free) masks(i) = from(keys(i), at(i))
      i += 1
    }
  }

  override def byteSize: Long =
    Footprint.shell(longs = 3, references = 2, ints = 1) + Footprint.longs(slots.length) +
      Footprint.longs(words.length)

  override def kind: String = s"hashed masks of $width bits"
}

private[keyset] object HashedKeyMasks {

  /** Bytes of the arrays for `keys` keys; Long.MaxValue if no array is long enough. */
  def bytes(keys: Long, width: Int): Long =
    if (2 * keys > Footprint.LongestArray) Long.MaxValue
    else {
      val capacity = Hashing.capacity(keys)
      Footprint.longs(capacity) + Footprint.longs(words(capacity, width))
    }

  private def words(slots: Long, width: Int) = (slots * width + 63) >>> 6

  /** The masks of `sets`. At least one set has a key. */
  def of(sets: Seq[LongKeySet], width: Int): HashedKeyMasks = {
    val first = new Filling(sets.map(_.size).sum, width, absent(sets))
    sets.zipWithIndex.foreach { case (set, number) =>
      set.forEach(key => first.add(key, 1L << number))
    }
    first.result
  }

  /** The least long that is not a key. */
  private def absent(sets: Seq[LongKeySet]): Long =
    Iterator.iterate(Long.MinValue)(_ + 1).find(key => !sets.exists(_.contains(key))).get

  /** Masks under construction. @param size greatest number of keys to add, duplicates included */
  private final class Filling(size: Long, width: Int, free: Long) {

    private val slots = new Array[Long](Hashing.capacity(size).toInt)
    private val masks = new Array[Long](words(slots.length.toLong, width).toInt)
    private var taken = 0L
    Arrays.fill(slots, free)

    def add(key: Long, mask: Long): Unit = {
      var i = Hashing.slot(key, slots.length)
      while (slots(i) != free && slots(i) != key) {
        i += 1
        if (i == slots.length) i = 0
      }
      if (slots(i) == free) {
        slots(i) = key
        taken += 1
      }
      val bit = i.toLong * width
      masks((bit >>> 6).toInt) |= mask << bit
    }

    /** The masks. They are built again, with fewer slots, if at most half of `size` is distinct. */
    def result: HashedKeyMasks = {
      val made = new HashedKeyMasks(taken, width, free, slots, masks)
      if (2 * taken > size) made
      else {
        val exact = new Filling(taken, width, free)
        slots.foreach(key => if (key != free) exact.add(key, made.maskOf(key)))
        exact.result
      }
    }
  }
}
