// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.table

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.array.ByteArrayMethods
import org.apache.spark.unsafe.types.ByteArray

/**
 * A hash table of distinct byte strings, numbered from 0 and stored in one array; uses open
 * addressing.
 *
 * @param offsets
 *   the start of each string in `data`, followed by the end of the last string
 * @param slots
 *   `Free`, or a string's number in the low bits and a tag of its hash in the bits above; at least
 *   one slot is free, so every probe ends
 */
private[keyset] final class BytesTable(data: Array[Byte], offsets: Array[Int], slots: Array[Int])
    extends Serializable {

  import BytesTable._

  private val tagMask = maskOfTags(offsets.length - 1)

  def size: Int = offsets.length - 1

  def byteSize: Long = Footprint.shell(references = 3, ints = 1) +
    Footprint.bytes(data.length) + Footprint.ints(offsets.length) + Footprint.ints(slots.length)

  /**
   * Whether the table has the `length` bytes at `offset` of `base`, as Platform addresses memory.
   */
  def contains(base: Object, offset: Long, length: Int): Boolean = {
    val hash = BytesTable.hash(base, offset, length)
    val tag = tagOf(hash, tagMask)
    var i = Hashing.reduce(hash, slots.length)
    while (true) {
      val held = slots(i)
      if (held == Free) return false
      if ((held & tagMask) == tag && equal(held & ~tagMask, base, offset, length)) return true
      i += 1
      if (i == slots.length) i = 0
    }
    false
  }

  private def equal(number: Int, base: Object, offset: Long, length: Int): Boolean = {
    val start = offsets(number)
    offsets(number + 1) - start == length &&
    ByteArrayMethods.arrayEquals(base, offset, data, address(start), length)
  }

  /** A copy of the string with this number. */
  def bytes(number: Int): Array[Byte] =
    Arrays.copyOfRange(data, offsets(number), offsets(number + 1))

  /** Passes each string to `consumer` as a slice of `data`, in the order of the numbers. */
  def forEach(consumer: BytesConsumer): Unit = {
    var number = 0
    while (number < size) {
      val start = offsets(number)
      consumer.accept(data, address(start), offsets(number + 1) - start)
      number += 1
    }
  }

  /**
   * The numbers of the least and the greatest string in unsigned byte order. The table must not be
   * empty.
   */
  def extremes: (Int, Int) = {
    var least, greatest = 0
    var (low, high) = (bytes(0), bytes(0))
    var number = 1
    while (number < size) {
      val candidate = bytes(number)
      if (ByteArray.compareBinary(candidate, low) < 0) {
        least = number
        low = candidate
      } else if (ByteArray.compareBinary(candidate, high) > 0) {
        greatest = number
        high = candidate
      }
      number += 1
    }
    (least, greatest)
  }
}

private[keyset] object BytesTable {

  final val Free = -1

  def address(index: Int): Long = Platform.BYTE_ARRAY_OFFSET + index.toLong

  def hash(base: Object, offset: Long, length: Int): Int = {
    val h = XXH64.hashUnsafeBytes(base, offset, length, 42L)
    (h ^ (h >>> 32)).toInt
  }

  /**
   * The bits of a slot that hold the tag, above the bits that numbers below `size` need. The bits
   * of a number are never all 1, so no taken slot equals `Free`.
   */
  private def maskOfTags(size: Int): Int = -1 << 32 - Integer.numberOfLeadingZeros(size)

  /** The tag: the low bits of the hash. The high bits already chose the slot. */
  private def tagOf(hash: Int, mask: Int): Int = hash << Integer.numberOfTrailingZeros(mask)

  /** Bytes of a table of `strings` strings that have `bytes` bytes in total. */
  def byteSize(strings: Int, bytes: Int): Long = Footprint.shell(references = 3, ints = 1) +
    Footprint.bytes(bytes) + Footprint.ints(strings + 1L) + Footprint.ints(
      Hashing.capacity(strings))

  /** The table of the strings that are stored one after another in `data`, with their hashes. */
  def of(data: Array[Byte], offsets: Array[Int], hashes: Array[Int]): BytesTable = {
    val size = offsets.length - 1
    val mask = maskOfTags(size)
    val slots = new Array[Int](Hashing.capacity(size).toInt)
    Arrays.fill(slots, Free)
    var number = 0
    while (number < size) {
      val hash = hashes(number)
      val slot = Hashing.firstFree(slots, Free, Hashing.reduce(hash, slots.length))
      slots(slot) = tagOf(hash, mask) | number
      number += 1
    }
    new BytesTable(data, offsets, slots)
  }
}

/** Takes the `length` bytes at `offset` of `base`, as Spark's Platform addresses memory. */
private[sparksieve] trait BytesConsumer {
  def accept(base: Object, offset: Long, length: Int): Unit
}
