// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.table

import java.util.function.LongConsumer

/** A growing hash set of longs, with open addressing; at most three quarters full. */
private[keyset] final class LongTable {

  import LongTable._

  private var slots = new Array[Long](FirstCapacity)
  // Whether `Free`, the value that marks a free slot, is a key. It cannot be stored in a slot.
  private var hasFree = false
  private var taken = 0

  def size: Long = taken.toLong + (if (hasFree) 1 else 0)

  def byteSize: Long = Footprint.longs(slots.length)

  /** Whether `keys` keys in total fit without growing. */
  def hasRoomFor(keys: Long): Boolean = keys <= slots.length - (slots.length >> 2)

  /** Whether no further key fits without growing. */
  def isFull: Boolean = !hasRoomFor(taken + 1L)

  /** Slots to grow to for `keys` keys, with spare slots so that the table does not grow often. */
  def grownCapacity(keys: Long): Long = math.max(keys, slots.length) * 3 / 2

  def contains(key: Long): Boolean =
    if (key == Free) hasFree else slots(find(slots, key)) == key

  /** Adds `key` unless the table has it. If `key` is new, the table must not be full. */
  def add(key: Long): Unit =
    if (key == Free) hasFree = true
    else {
      val slot = find(slots, key)
      if (slots(slot) != key) {
        slots(slot) = key
        taken += 1
      }
    }

  /** Rehashes the keys to `capacity` slots. Both arrays are traversed sequentially. */
  def growTo(capacity: Int): Unit = {
    val grown = new Array[Long](capacity)
    var i = 0
    while (i < slots.length) {
      val key = slots(i)
      if (key != Free) grown(find(grown, key)) = key
      i += 1
    }
    slots = grown
  }

  /** Every key once, in an unspecified order. */
  def toArray: Array[Long] = {
    val keys = new Array[Long](size.toInt)
    var n = 0
    forEach { key =>
      keys(n) = key
      n += 1
    }
    keys
  }

  /** Passes every key to `consumer` once, in an unspecified order. */
  def forEach(consumer: LongConsumer): Unit = {
    if (hasFree) consumer.accept(Free)
    var i = 0
    while (i < slots.length) {
      if (slots(i) != Free) consumer.accept(slots(i))
      i += 1
    }
  }
}

private[keyset] object LongTable {

  // 0, so that a new array needs no filling, and `toArray` need not write the key 0.
  final val Free = 0L

  final val FirstCapacity = 16

  /** Bytes of an empty table. */
  def FirstBytes: Long = Footprint.longs(FirstCapacity)

  /** The slot that holds `key`, or the free slot where it belongs. */
  def find(slots: Array[Long], key: Long): Int = {
    var i = Hashing.buildSlot(key, slots.length)
    var held = slots(i)
    while (held != key && held != Free) {
      i += 1
      if (i == slots.length) i = 0
      held = slots(i)
    }
    i
  }
}
