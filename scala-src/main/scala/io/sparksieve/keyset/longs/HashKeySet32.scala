// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.util.Arrays
import java.util.function.LongConsumer

import io.sparksieve.keyset.table.{Footprint, Hashing, PresenceFilter}

/**
 * A hash set of keys that lie within 2^32^ of each other, with open addressing and linear probing.
 * A key is held as its distance from the least key.
 *
 * @param slots
 *   the distances, or `Free`; at least one slot is free, so every probe ends
 * @param present
 *   the filter that lookups test first, see [[PresenceFilter]]
 */
private[keyset] final class HashKeySet32 private[keyset] (
    override val min: Long,
    override val max: Long,
    override val size: Long,
    slots: Array[Int],
    present: Array[Long])
    extends HashedKeySet(present) {

  override def contains(key: Long): Boolean = {
    if (key < min || key > max) return false
    val mixed = Hashing.mix(key)
    if (isAbsent(mixed)) return false
    isHeld(key, Hashing.slotOf(mixed, slots.length))
  }

  override protected def isHeld(key: Long, slot: Int): Boolean = {
    val distance = key - min
    var i = slot
    while (true) {
      val held = slots(i)
      // Tested first: a key outside the bounds may have the distance that `Free` stands for.
      if (held == HashKeySet32.Free) return false
      if ((held & 0xffffffffL) == distance) return true
      i += 1
      if (i == slots.length) i = 0
    }
    false
  }

  // Above the greatest key, see [[HashKeySet32.fits]].
  override protected def freeKey: Long = min + (HashKeySet32.Free & 0xffffffffL)

  override protected def load(at: Array[Int], count: Int, held: Array[Long]): Unit = {
    var i = 0
    while (i < count) {
      held(i) = min + (slots(at(i)) & 0xffffffffL)
      i += 1
    }
  }

  override def byteSize: Long =
    Footprint.shell(longs = 3, references = 2, ints = 1) + Footprint.ints(slots.length) +
      presenceBytes

  override def kind: String = "hash32"

  override private[keyset] def free: Long = HashKeySet32.Free

  override private[keyset] def numSlots: Int = slots.length

  override private[keyset] def keysOf(from: Int, until: Int, keys: Array[Long]): Int = {
    var (i, n) = (from, 0)
    while (i < until) {
      keys(n) = min + (slots(i) & 0xffffffffL)
      // Branch-free: the branch would be unpredictable.
      n += (if (slots(i) == HashKeySet32.Free) 0 else 1)
      i += 1
    }
    n
  }

  override def forEach(consumer: LongConsumer): Unit = {
    var i = 0
    while (i < slots.length) {
      val held = slots(i)
      if (held != HashKeySet32.Free) consumer.accept(min + (held & 0xffffffffL))
      i += 1
    }
  }
}

private[keyset] object HashKeySet32 {

  /** As an unsigned number, greater than the distance of the greatest key; see [[fits]]. */
  final val Free = -1

  /** Whether this class can hold keys from `min` to `max`. */
  def fits(min: Long, max: Long): Boolean =
    java.lang.Long.compareUnsigned(max - min, 0xffffffffL) < 0

  /** Bytes of the arrays of a set of `keys` keys. */
  def bytes(keys: Long): Long =
    Footprint.ints(Hashing.capacityBehindPresence(keys)) + Footprint.longs(
      PresenceFilter.words(keys))

  /** A set under construction. Its bounds must fit, see [[fits]]. */
  final class Filling(size: Long, min: Long, max: Long) extends HashedKeySet.Filling(size) {

    private val slots = new Array[Int](Hashing.capacityBehindPresence(size).toInt)
    private val present = PresenceFilter.empty(size)
    Arrays.fill(slots, Free)

    override def add(keys: Array[Long], count: Int): Unit = {
      var n = 0
      while (n < count) {
        val mixed = Hashing.mix(keys(n))
        PresenceFilter.set(present, mixed)
        val distance = (keys(n) - min).toInt
        var i = Hashing.slotOf(mixed, slots.length)
        while (slots(i) != Free && slots(i) != distance) {
          i += 1
          if (i == slots.length) i = 0
        }
        if (slots(i) == Free) {
          slots(i) = distance
          taken += 1
        }
        n += 1
      }
    }

    override protected def made = new HashKeySet32(min, max, taken, slots, present)

    override protected def another(size: Long) = new Filling(size, min, max)
  }
}
