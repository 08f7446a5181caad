package io.sparksieve.keyset

import java.util.Arrays
import java.util.function.LongConsumer

/**
 * Open addressing with linear probing over any longs.
 *
 * @param free
 *   what a free slot holds: a long that is no key
 * @param slots
 *   the keys; at least one slot is free, so every probe ends
 * @param present
 *   what is asked first, see [[Presence]]
 */
final class HashKeySet64 private[keyset] (
    override val min: Long,
    override val max: Long,
    override val size: Long,
    free: Long,
    slots: Array[Long],
    present: Array[Long])
    extends HashedKeySet(present) {

  override def contains(key: Long): Boolean = {
    if (key < min || key > max) return false
    val mixed = Mix.mix(key)
    if (isAbsent(mixed)) return false
    var i = Mix.slotOf(mixed, slots.length)
    while (true) {
      val held = slots(i)
      // First: who asks for the very value that marks a free slot must not find it there.
      if (held == free) return false
      if (held == key) return true
      i += 1
      if (i == slots.length) i = 0
    }
    false
  }

  override def byteSize: Long =
    Footprint.shell(longs = 4, references = 2, ints = 1) + Footprint.longs(slots.length) +
      presenceBytes

  override def kind: String = "hash64"

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

  /** The set of what `table` holds, in `capacity` slots. */
  def of(table: LongTable, capacity: Int): HashKeySet64 = {
    val free = absentFrom(table)
    val slots = new Array[Long](capacity)
    val present = Presence.empty(table.size)
    Arrays.fill(slots, free)
    table.forEach { key =>
      val mixed = Mix.mix(key)
      Presence.set(present, mixed)
      var i = Mix.slotOf(mixed, capacity)
      while (slots(i) != free) {
        i += 1
        if (i == capacity) i = 0
      }
      slots(i) = key
    }
    new HashKeySet64(table.min, table.max, table.size, free, slots, present)
  }

  private def absentFrom(table: LongTable): Long =
    if (table.min != Long.MinValue) table.min - 1
    else if (table.max != Long.MaxValue) table.max + 1
    else {
      var candidate = 0L
      while (table.contains(candidate)) candidate += 1
      candidate
    }
}
