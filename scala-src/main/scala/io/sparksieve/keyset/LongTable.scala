package io.sparksieve.keyset

import java.util.function.LongConsumer

/** A set of longs that grows: open addressing, doubled when three quarters full. */
private[keyset] final class LongTable {

  import LongTable._

  private var slots = new Array[Long](FirstCapacity)
  // What marks a free slot is kept beside the slots when it is a key.
  private var hasFree = false
  private var taken = 0
  private var least = Long.MaxValue
  private var greatest = Long.MinValue

  def size: Long = taken.toLong + (if (hasFree) 1 else 0)

  /** The least key, if there is one. */
  def min: Long = least

  /** The greatest key, if there is one. */
  def max: Long = greatest

  def byteSize: Long = Footprint.longs(slots.length)

  /** Whether no more keys fit the slots there are. */
  def isFull: Boolean = taken >= slots.length - (slots.length >> 2)

  /** Bytes in use while [[grow]] copies; above every cap where no array is long enough. */
  def byteSizeWhileGrowing: Long = {
    val doubled = 2L * slots.length
    if (doubled > Footprint.LongestArray) Long.MaxValue
    else byteSize + Footprint.longs(doubled)
  }

  def contains(key: Long): Boolean =
    if (key == Free) hasFree else slots(find(slots, key)) == key

  /** Adds `key`, which it must not contain; it must not be full. */
  def add(key: Long): Unit = {
    if (key == Free) hasFree = true
    else {
      slots(find(slots, key)) = key
      taken += 1
    }
    if (key < least) least = key
    if (key > greatest) greatest = key
  }

  /** Doubles the slots. */
  def grow(): Unit = {
    val grown = new Array[Long](2 * slots.length)
    var i = 0
    while (i < slots.length) {
      val key = slots(i)
      if (key != Free) grown(find(grown, key)) = key
      i += 1
    }
    slots = grown
  }

  /** Gives every key once, in no order. */
  def forEach(consumer: LongConsumer): Unit = {
    if (hasFree) consumer.accept(Free)
    var i = 0
    while (i < slots.length) {
      val key = slots(i)
      if (key != Free) consumer.accept(key)
      i += 1
    }
  }
}

private[keyset] object LongTable {

  // So that a new array needs no filling.
  final val Free = 0L

  final val FirstCapacity = 64

  /** Bytes of a table without keys. */
  def FirstBytes: Long = Footprint.longs(FirstCapacity)

  /** The slot that holds `key`, or the free one where it belongs. */
  def find(slots: Array[Long], key: Long): Int = {
    var i = Mix.buildSlot(key, slots.length)
    var held = slots(i)
    while (held != key && held != Free) {
      i += 1
      if (i == slots.length) i = 0
      held = slots(i)
    }
    i
  }
}
