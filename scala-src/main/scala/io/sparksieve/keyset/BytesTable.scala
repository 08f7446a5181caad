package io.sparksieve.keyset

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.array.ByteArrayMethods
import org.apache.spark.unsafe.types.ByteArray

/**
 * Distinct strings of bytes, numbered from 0, in one array; found by open addressing.
 *
 * @param offsets
 *   where in `data` each string starts, and in the end where the last one ends: one more than
 *   there are strings
 * @param slots
 *   a string's number in the low bits and bits of its hash above them, or `Free`; at least one
 *   slot is free, so every probe ends
 */
private[keyset] final class BytesTable(data: Array[Byte], offsets: Array[Int], slots: Array[Int])
    extends Serializable {

  import BytesTable._

  private val tagMask = maskOfTags(offsets.length - 1)

  def size: Int = offsets.length - 1

  def byteSize: Long = Footprint.shell(references = 3, ints = 1) +
    Footprint.bytes(data.length) + Footprint.ints(offsets.length) + Footprint.ints(slots.length)

  /** Whether the `length` bytes at `offset` of `base`, as Platform addresses them, are held. */
  def contains(base: Object, offset: Long, length: Int): Boolean = {
    val hash = BytesTable.hash(base, offset, length)
    val tag = tagOf(hash, tagMask)
    var i = Mix.reduce(hash, slots.length)
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

  /** A copy of the string with that number. */
  def bytes(number: Int): Array[Byte] =
    Arrays.copyOfRange(data, offsets(number), offsets(number + 1))

  /** Gives each string as a stretch of one array, in order of their numbers. */
  def forEach(consumer: BytesConsumer): Unit = {
    var number = 0
    while (number < size) {
      val start = offsets(number)
      consumer.accept(data, address(start), offsets(number + 1) - start)
      number += 1
    }
  }

  /** The numbers of the least and the greatest string by unsigned bytes; some must be held. */
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
   * The bits of a slot that numbers below `size` leave to the hash. The bits of the number are
   * never all ones, so no taken slot looks free.
   */
  private def maskOfTags(size: Int): Int = -1 << 32 - Integer.numberOfLeadingZeros(size)

  /** The low bits of the hash: the high ones have chosen the slot. */
  private def tagOf(hash: Int, mask: Int): Int = hash << Integer.numberOfTrailingZeros(mask)

  /** Bytes of a table of so many strings with so many bytes in all. */
  def byteSize(strings: Int, bytes: Int): Long = Footprint.shell(references = 3, ints = 1) +
    Footprint.bytes(bytes) + Footprint.ints(strings + 1L) + Footprint.ints(Mix.capacity(strings))

  /** The table of strings that lie in `data` one after the other, with their hashes. */
  def of(data: Array[Byte], offsets: Array[Int], hashes: Array[Int]): BytesTable = {
    val size = offsets.length - 1
    val mask = maskOfTags(size)
    val slots = new Array[Int](Mix.capacity(size).toInt)
    Arrays.fill(slots, Free)
    var number = 0
    while (number < size) {
      val hash = hashes(number)
      val slot = Mix.firstFree(slots, Free, Mix.reduce(hash, slots.length))
      slots(slot) = tagOf(hash, mask) | number
      number += 1
    }
    new BytesTable(data, offsets, slots)
  }
}
