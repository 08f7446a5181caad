// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.table

import java.util.Arrays

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.array.ByteArrayMethods

/**
 * Collects distinct byte strings for a [[BytesTable]], until a cap is met.
 *
 * @param maxKeys
 *   greatest number of strings
 * @param maxBytes
 *   greatest size of all arrays at any one time: the builder's old and new arrays while they grow,
 *   and the arrays of the table
 */
private[keyset] final class BytesTableBuilder(maxKeys: Long, maxBytes: Long) extends BytesConsumer {

  import BytesTableBuilder._

  private var over = false
  private var count = 0
  private var data = Array.emptyByteArray
  private var end = 0
  // Number of strings that the next three arrays can hold. There are twice as many slots.
  private var room = 0
  private var offsets = Array(0)
  private var hashes = Array.emptyIntArray
  private var slots = Array.emptyIntArray

  /** Whether a cap was met. The collected strings are then dropped, and further ones ignored. */
  def gaveUp: Boolean = over

  def size: Int = count

  /** Adds a copy of the bytes, unless the builder already has them. */
  override def accept(base: Object, offset: Long, length: Int): Unit =
    if (!over) {
      val hash = BytesTable.hash(base, offset, length)
      if (room == 0 || slots(find(hash, base, offset, length)) == BytesTable.Free) {
        if (count < maxKeys && hasRoomForKey && hasRoomFor(length)) {
          append(hash, base, offset, length)
        } else giveUp()
      }
    }

  /** Drops all strings and ignores further ones. */
  def giveUp(): Unit = {
    over = true
    count = 0
    room = 0
    data = Array.emptyByteArray
    offsets = Array(0)
    hashes = Array.emptyIntArray
    slots = Array.emptyIntArray
  }

  /** The strings so far. None if a cap was met, possibly by the memory of the table itself. */
  def result(): Option[BytesTable] = {
    if (!over && byteSize + BytesTable.byteSize(count, end) > maxBytes) giveUp()
    if (over) None
    else
      Some(
        BytesTable.of(
          Arrays.copyOf(data, end),
          Arrays.copyOf(offsets, count + 1),
          Arrays.copyOf(hashes, count)))
  }

  private def byteSize: Long =
    if (room == 0) 0 else Footprint.bytes(data.length) + bytesOfRoom(room)

  private def append(hash: Int, base: Object, offset: Long, length: Int): Unit = {
    Platform.copyMemory(base, offset, data, BytesTable.address(end), length)
    slots(find(hash, base, offset, length)) = count
    hashes(count) = hash
    end += length
    count += 1
    offsets(count) = end
  }

  /** The slot that holds the string, or the free slot where it belongs. */
  private def find(hash: Int, base: Object, offset: Long, length: Int): Int = {
    var i = Hashing.reduce(hash, slots.length)
    while (slots(i) != BytesTable.Free && !equal(slots(i), hash, base, offset, length)) {
      i += 1
      if (i == slots.length) i = 0
    }
    i
  }

  private def equal(number: Int, hash: Int, base: Object, offset: Long, length: Int): Boolean =
    hashes(number) == hash && {
      val start = offsets(number)
      offsets(number + 1) - start == length &&
      ByteArrayMethods.arrayEquals(base, offset, data, BytesTable.address(start), length)
    }

  /** Whether one more string fits; grows the arrays if the cap allows. */
  private def hasRoomForKey: Boolean = count < room || {
    val wanted = math.max(FirstRoom, 2L * room)
    val allowed =
      2 * wanted <= Footprint.LongestArray && byteSize + bytesOfRoom(wanted) <= maxBytes
    if (allowed) {
      room = wanted.toInt
      offsets = Arrays.copyOf(offsets, room + 1)
      hashes = Arrays.copyOf(hashes, room)
      slots = new Array[Int](2 * room)
      Arrays.fill(slots, BytesTable.Free)
      (0 until count).foreach(insert)
    }
    allowed
  }

  private def insert(number: Int): Unit =
    slots(Hashing.firstFree(slots, BytesTable.Free, Hashing.reduce(hashes(number), slots.length))) =
      number

  /** Whether `length` more bytes fit; grows the data if the cap allows. */
  private def hasRoomFor(length: Int): Boolean = {
    val needed = end.toLong + length
    needed <= data.length || {
      val wanted = math.min(math.max(needed, 2L * data.length), Footprint.LongestArray)
      val allowed = needed <= wanted && byteSize + Footprint.bytes(wanted) <= maxBytes
      if (allowed) data = Arrays.copyOf(data, wanted.toInt)
      allowed
    }
  }
}

private object BytesTableBuilder {

  final val FirstRoom = 16L

  /** Bytes of offsets, hashes and slots for `room` strings. */
  def bytesOfRoom(room: Long): Long =
    Footprint.ints(room + 1) + Footprint.ints(room) + Footprint.ints(2 * room)
}
