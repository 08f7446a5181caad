package io.sparksieve.keyset

import java.util.Arrays
import java.util.function.LongConsumer

/**
 * Open addressing with linear probing over keys that lie within 2^32^ of each other, held as
 * their distance from the least.
 *
 * @param slots
 *   the distances; `Free` where there is none. At least one is free, so every probe ends.
 * @param present
 *   what is asked first, see [[Presence]]
 */
final class HashKeySet32 private[keyset] (
    override val min: Long,
    override val max: Long,
    override val size: Long,
    slots: Array[Int],
    present: Array[Long])
    extends HashedKeySet(present) {

  override def contains(key: Long): Boolean = {
    if (key < min || key > max) return false
    val mixed = Mix.mix(key)
    if (isAbsent(mixed)) return false
    val distance = (key - min).toInt
    var i = Mix.slotOf(mixed, slots.length)
    while (true) {
      val held = slots(i)
      // No key within the bounds has the distance Free.
      if (held == distance) return true
      if (held == HashKeySet32.Free) return false
      i += 1
      if (i == slots.length) i = 0
    }
    false
  }

  override def byteSize: Long =
    Footprint.shell(longs = 3, references = 2, ints = 1) + Footprint.ints(slots.length) +
      presenceBytes

  override def kind: String = "hash32"

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

  /** What no distance is: that of the greatest key is less, see [[fits]]. */
  final val Free = -1

  /** Whether keys from `min` to `max` can be held so. */
  def fits(min: Long, max: Long): Boolean =
    java.lang.Long.compareUnsigned(max - min, 0xffffffffL) < 0

  /** The set of what `table` holds, in `capacity` slots; the bounds must fit. */
  def of(table: LongTable, capacity: Int): HashKeySet32 = {
    val slots = new Array[Int](capacity)
    val present = Presence.empty(table.size)
    Arrays.fill(slots, Free)
    val min = table.min
    table.forEach { key =>
      val mixed = Mix.mix(key)
      Presence.set(present, mixed)
      slots(Mix.firstFree(slots, Free, Mix.slotOf(mixed, capacity))) = (key - min).toInt
    }
    new HashKeySet32(min, table.max, table.size, slots, present)
  }
}
