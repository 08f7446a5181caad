// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.util.Arrays
import java.util.function.LongConsumer

import io.sparksieve.keyset.table.{Footprint, Hashing, PresenceFilter}

/**
 * A hash set of any longs, with open addressing and linear probing.
 *
 * @param free
 *   the content of a free slot: a long that is not a key
 * @param slots
 *   the keys; at least one slot is free, so every probe ends
 * @param present
 *   the filter that lookups test first, see [[PresenceFilter]]
 */
private[keyset] final class HashKeySet64 private[keyset] (
    override val min: Long,
    override val max: Long,
    override val size: Long,
    override private[keyset] val free: Long,
    slots: Array[Long],
    present: Array[Long])
    extends HashedKeySet(present) {

  override def contains(key: Long): Boolean = {
    if (key < min || key > max) return false
    val mixed = Hashing.mix(key)
    if (isAbsent(mixed)) return false
    isHeld(key, Hashing.slotOf(mixed, slots.length))
  }

  override protected def isHeld(key: Long, slot: Int): Boolean = {
    var i = slot
    while (true) {
      val held = slots(i)
      // Tested first: a lookup of the value of `free` itself must not find it in a free slot.
      if (held == free) return false
      if (held == key) return true
      i += 1
      if (i == slots.length) i = 0
    }
    false
  }

  override protected def freeKey: Long = free

  override protected def load(at: Array[Int], count: Int, held: Array[Long]): Unit = {
    var i = 0
    while (i < count) {
      held(i) = slots(at(i))
      i += 1
    }
  }

  override def byteSize: Long =
    Footprint.shell(longs = 4, references = 2, ints = 1) + Footprint.longs(slots.length) +
      presenceBytes

  override def kind: String = "hash64"

  override private[keyset] def numSlots: Int = slots.length

  override private[keyset] def keysOf(from: Int, until: Int, keys: Array[Long]): Int = {
    var (i, n) = (from, 0)
    while (i < until) {
      keys(n) = slots(i)
      // Branch-free: the branch would be unpredictable.
      n += (if (slots(i) == free) 0 else 1)
      i += 1
    }
    n
  }

  override def forEach(consumer: LongConsumer): Unit = {
    var i = 0
    while (i < slots.length) {
      val held = slots(i)
      if (held != free) consumer.accept(held)
      i += 1
    }
  }
}

private[keyset] object HashKeySet64 {

  /** Bytes of the arrays of a set of `keys` keys. */
  def bytes(keys: Long): Long =
    Footprint.longs(Hashing.capacityBehindPresence(keys)) + Footprint.longs(
      PresenceFilter.words(keys))

  /** A set under construction. @param free a long that is not a key */
  final class Filling(size: Long, min: Long, max: Long, free: Long)
      extends HashedKeySet.Filling(size) {

    private val slots = new Array[Long](Hashing.capacityBehindPresence(size).toInt)
    private val present = PresenceFilter.empty(size)
    Arrays.fill(slots, free)

    override def add(keys: Array[Long], count: Int): Unit = {
      var n = 0
      while (n < count) {
        val key = keys(n)
        val mixed = Hashing.mix(key)
        PresenceFilter.set(present, mixed)
        var i = Hashing.slotOf(mixed, slots.length)
        while (slots(i) != free && slots(i) != key) {
          i += 1
          if (i == slots.length) i = 0
        }
        if (slots(i) == free) {
          slots(i) = key
          taken += 1
        }
        n += 1
      }
    }

    override protected def made = new HashKeySet64(min, max, taken, free, slots, present)

    override protected def another(size: Long) = new Filling(size, min, max, free)
  }
}
