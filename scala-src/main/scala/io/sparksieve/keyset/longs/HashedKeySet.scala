// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.util.Arrays

import io.sparksieve.keyset.{KeyBlock, KeyRange, LargestGaps}
import io.sparksieve.keyset.table.{Footprint, Hashing, PresenceFilter}

/**
 * A hash set of longs. Each subclass implements its own probe, as one loop over one type of array.
 *
 * @param present
 *   the filter that lookups test first, see [[PresenceFilter]]
 */
private[keyset] abstract class HashedKeySet(present: Array[Long]) extends LongKeySet {

  private val shift = PresenceFilter.shift(present.length)

  override final def takesBlocks: Boolean = true

  /** The value that marks a free slot. */
  private[keyset] def free: Long

  private[keyset] def numSlots: Int

  /**
   * Writes the keys in the slots from `from` to `until` (exclusive) to the front of `keys`, which
   * must have at least as many elements as there are slots.
   *
   * @return
   *   the number of keys
   */
  private[keyset] def keysOf(from: Int, until: Int, keys: Array[Long]): Int

  /** The object that Java's serialisation writes instead of the set. */
  protected final def writeReplace(): AnyRef = new KeySetProxy(this)

  /** Whether the key with this mixed form is certainly not a member. */
  protected final def isAbsent(mixed: Long): Boolean =
    (present((mixed >>> shift).toInt) >>> mixed & 1L) == 0L

  /**
   * Whether a slot at or after `slot`, wrapping around, holds `key`. The probe ends at the first
   * free slot. `key` may lie outside the bounds.
   */
  protected def isHeld(key: Long, slot: Int): Boolean

  /** The value that [[load]] writes for a free slot. It is not a key. */
  protected def freeKey: Long

  /** Writes to `held` the key of each of the first `count` slots in `at`; [[freeKey]] if free. */
  protected def load(at: Array[Int], count: Int, held: Array[Long]): Unit

  /**
   * Looks up the first `count` keys of a block and writes the results to its `found`. Each loop
   * does one step for all keys without unpredictable branches, so that cache misses overlap. In
   * [[contains]], each mispredicted branch stops that overlap.
   */
  final def find(block: KeyBlock, count: Int): Unit = {
    val maybe = findPresent(block, count)
    load(block.slots, maybe, block.held)
    val rest = compareFirst(block, maybe)
    var i = 0
    while (i < rest) {
      block.found(block.places(i)) = if (isHeld(block.open(i), block.slots(i))) 1 else 0
      i += 1
    }
  }

  /** Sets all results to 0 and opens the keys that may be members. Returns their number. */
  private def findPresent(block: KeyBlock, count: Int): Int = {
    val keys = block.keys
    val found = block.found
    val open = block.open
    val places = block.places
    val slots = block.slots
    val capacity = numSlots
    var i = 0
    var n = 0
    while (i < count) {
      val key = keys(i)
      val mixed = Hashing.mix(key)
      found(i) = 0
      open(n) = key
      places(n) = i
      slots(n) = Hashing.slotOf(mixed, capacity)
      n += (present((mixed >>> shift).toInt) >>> mixed).toInt & 1
      i += 1
    }
    n
  }

  /** Compares open keys with the loaded slots. Returns how many must probe the next slot. */
  private def compareFirst(block: KeyBlock, count: Int): Int = {
    val found = block.found
    val open = block.open
    val places = block.places
    val slots = block.slots
    val held = block.held
    val free = freeKey
    val capacity = numSlots
    var i = 0
    var n = 0
    while (i < count) {
      val key = open(i)
      val place = places(i)
      val next = slots(i) + 1
      val isFree = HashedKeySet.isZero(held(i) ^ free)
      // A lookup of the value of `free` itself must not find it in a free slot.
      val isKey = HashedKeySet.isZero(held(i) ^ key) & ~isFree
      found(place) = isKey.toByte
      open(n) = key
      places(n) = place
      slots(n) = if (next == capacity) 0 else next
      n += (isFree | isKey) ^ 1
      i += 1
    }
    n
  }

  protected final def presenceBytes: Long = Footprint.longs(present.length)

  override final def sorted: Array[Long] = {
    val keys = LongKeySets.toArray(this)
    Arrays.sort(keys)
    keys
  }

  override final def ranges(atMost: Int): Seq[KeyRange] = {
    val gaps = new LargestGaps(atMost)
    if (atMost == 1) Seq(KeyRange(min, max))
    else {
      val keys = sorted
      var i = 0
      while (i < keys.length) {
        gaps.add(keys(i))
        i += 1
      }
      gaps.ranges
    }
  }
}

private[keyset] object HashedKeySet {

  /** 1 if `bits` is 0, else 0. */
  private def isZero(bits: Long): Int = ((bits | -bits) >>> 63).toInt ^ 1

  /**
   * A set under construction. Keys are added in batches, preferably in [[HashOrder]].
   *
   * @param size
   *   number of keys to add, duplicates included
   */
  abstract class Filling(size: Long) {

    /** Distinct keys so far. */
    protected var taken = 0L

    /** Adds the first `count` of `keys`. */
    def add(keys: Array[Long], count: Int): Unit

    /** The set, after all keys were added. If there were duplicates, it is built again to fit. */
    final def result: HashedKeySet =
      if (taken == size) made
      else {
        val keys = LongKeySets.toArray(made)
        val exact = another(taken)
        exact.add(keys, keys.length)
        exact.result
      }

    /** The set with the slots as they are now. */
    protected def made: HashedKeySet

    protected def another(size: Long): Filling
  }
}
