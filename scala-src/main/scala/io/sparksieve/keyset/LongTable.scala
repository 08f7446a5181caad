package io.sparksieve.keyset

/** A set of longs that grows: open addressing, at most three quarters full. */
private[keyset] final class LongTable {

  import LongTable._

  private var slots = new Array[Long](FirstCapacity)
  // What marks a free slot is kept beside the slots when it is a key.
  private var hasFree = false
  private var taken = 0

  def size: Long = taken.toLong + (if (hasFree) 1 else 0)

  def byteSize: Long = Footprint.longs(slots.length)

  /** Whether it has room for so many keys in all. */
  def hasRoomFor(keys: Long): Boolean = keys <= slots.length - (slots.length >> 2)

  /** Whether no more keys fit the slots there are. */
  def isFull: Boolean = !hasRoomFor(taken + 1L)

  /** Slots after growing for so many keys: enough that not every key more makes it grow again. */
  def grownCapacity(keys: Long): Long = math.max(keys, slots.length) * 3 / 2

  def contains(key: Long): Boolean =
    if (key == Free) hasFree else slots(find(slots, key)) == key

  /** Adds `key` unless it has it; it must not be full then. */
  def add(key: Long): Unit =
    if (key == Free) hasFree = true
    else {
      val slot = find(slots, key)
      if (slots(slot) != key) {
        slots(slot) = key
        taken += 1
      }
    }

  /** Moves what it has to so many slots. Both arrays are passed from one end to the other. */
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

  /** Every key once, in no order. */
  def toArray: Array[Long] = {
    val keys = new Array[Long](size.toInt)
    var (i, n) = (0, if (hasFree) 1 else 0)
    while (i < slots.length) {
      val key = slots(i)
      if (key != Free) {
        keys(n) = key
        n += 1
      }
      i += 1
    }
    keys
  }
}

private[keyset] object LongTable {

  // So that a new array needs no filling; and the key of an array's first element, if it is one.
  final val Free = 0L

  final val FirstCapacity = 16

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
