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
    isHeld(key, Mix.slotOf(mixed, slots.length))
  }

  override protected def isHeld(key: Long, slot: Int): Boolean = {
    val distance = key - min
    var i = slot
    while (true) {
      val held = slots(i)
      // First: a key beyond the bounds may have this distance.
      if (held == HashKeySet32.Free) return false
      if ((held & 0xffffffffL) == distance) return true
      i += 1
      if (i == slots.length) i = 0
    }
    false
  }

  // Beyond the greatest key, as [[HashKeySet32.fits]] has it.
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
      // No branch, which could not be foreseen.
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

  /** What no distance is: that of the greatest key is less, see [[fits]]. */
  final val Free = -1

  /** Whether keys from `min` to `max` can be held so. */
  def fits(min: Long, max: Long): Boolean =
    java.lang.Long.compareUnsigned(max - min, 0xffffffffL) < 0

  /** Bytes of the arrays of a set of so many keys. */
  def bytes(keys: Long): Long =
    Footprint.ints(Mix.capacityBehindPresence(keys)) + Footprint.longs(Presence.words(keys))

  /** A set that is made; the bounds must fit. */
  final class Filling(size: Long, min: Long, max: Long) extends HashedKeySet.Filling(size) {

    private val slots = new Array[Int](Mix.capacityBehindPresence(size).toInt)
    private val present = Presence.empty(size)
    Arrays.fill(slots, Free)

    override def add(keys: Array[Long], count: Int): Unit = {
      var n = 0
      while (n < count) {
        val mixed = Mix.mix(keys(n))
        Presence.set(present, mixed)
        val distance = (keys(n) - min).toInt
        var i = Mix.slotOf(mixed, slots.length)
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
