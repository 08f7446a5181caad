// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.util.{BitSet => Bits}
import java.util.function.LongConsumer

import io.sparksieve.keyset.{KeyRange, LargestGaps}
import io.sparksieve.keyset.table.{Footprint, HashOrder, LongTable}

/** Chooses the representation that holds given keys in the fewest bytes, and builds it. */
private[keyset] object LongKeySets {

  /**
   * Greatest number of bytes that are needed to build the set of `count` keys, which may have
   * duplicates.
   */
  def bytesFor(count: Long): Long =
    HashOrder.bytes(count) + Footprint.longs(count) + 2 * HashKeySet64.bytes(count)

  /**
   * The set of the keys in `table`.
   *
   * @param min
   *   the least key, if there is a key
   * @param max
   *   the greatest key, if there is a key
   * @param maxBytes
   *   greatest memory of the set and of the arrays it is built from, without the table
   * @return
   *   None if the set would take more; no memory is allocated then
   */
  def of(table: LongTable, min: Long, max: Long, maxBytes: Long): Option[LongKeySet] = {
    val left = maxBytes - Footprint.longs(table.size)
    if (table.size == 0) Some(new EmptyKeySet)
    else if (math.min(bitBytes(min, max), hashBytes(table.size, min, max)) > left) None
    else Some(of(table.toArray, table.size.toInt, min, max, left))
  }

  /**
   * The set of the first `count` of `keys`, at least one.
   *
   * @param min
   *   the least key
   * @param max
   *   the greatest key
   * @param maxBytes
   *   memory that may be used: [[bytesFor]] is enough, and if the keys are distinct, the size of
   *   the set is enough
   */
  def of(keys: Array[Long], count: Int, min: Long, max: Long, maxBytes: Long): LongKeySet =
    // With duplicates the hashed set is smaller still, so the comparison holds for them too.
    if (bitBytes(min, max) > hashBytes(count.toLong, min, max))
      hashed(keys, count, min, max, maxBytes)
    else {
      val bits = BitKeySet.of(keys, count, min, max)
      if (max - min == bits.size - 1) new RangeKeySet(min, max)
      else if (bitBytes(min, max) <= hashBytes(bits.size, min, max)) bits
      else hashed(bits.sorted, bits.size.toInt, min, max, maxBytes)
    }

  private def bitBytes(min: Long, max: Long) = Footprint.longs(BitKeySet.words(min, max))

  private def hashBytes(keys: Long, min: Long, max: Long) =
    if (HashKeySet32.fits(min, max)) HashKeySet32.bytes(keys) else HashKeySet64.bytes(keys)

  private def hashed(keys: Array[Long], count: Int, min: Long, max: Long, maxBytes: Long) = {
    val filling =
      if (HashKeySet32.fits(min, max)) new HashKeySet32.Filling(count.toLong, min, max)
      else new HashKeySet64.Filling(count.toLong, min, max, absent(keys, count, min, max))
    val mayOrder = HashOrder.bytes(count.toLong) + hashBytes(count.toLong, min, max) <= maxBytes
    filling.add(if (mayOrder) HashOrder(keys, count, salt = 0) else keys, count)
    filling.result
  }

  /** A long that is not a key. */
  private def absent(keys: Array[Long], count: Int, min: Long, max: Long): Long =
    if (min != Long.MinValue) min - 1
    else if (max != Long.MaxValue) max + 1
    else {
      // `count` keys that include both ends of the longs cannot cover 0 to count - 1 as well.
      val present = new Bits(count)
      var i = 0
      while (i < count) {
        if (keys(i) >= 0 && keys(i) < count) present.set(keys(i).toInt)
        i += 1
      }
      present.nextClearBit(0).toLong
    }

  /** The keys of `set`, in the order of its `forEach`. */
  def toArray(set: LongKeySet): Array[Long] = {
    val keys = new Array[Long](Math.toIntExact(set.size))
    var i = 0
    set.forEach { key =>
      keys(i) = key
      i += 1
    }
    keys
  }
}

/** The empty set of keys that are held as longs. */
private[keyset] final class EmptyKeySet extends LongKeySet {

  override def contains(key: Long): Boolean = false

  override def size: Long = 0

  override def byteSize: Long = Footprint.shell()

  override def kind: String = "empty"

  override def min: Long = throw new NoSuchElementException("An empty key set has no least key.")

  override def max: Long = throw new NoSuchElementException("An empty key set has no greatest key.")

  override def forEach(consumer: LongConsumer): Unit = ()

  override def sorted: Array[Long] = Array.emptyLongArray

  override def ranges(atMost: Int): Seq[KeyRange] = new LargestGaps(atMost).ranges
}
