// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.bytes

import java.util.Arrays

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.ByteArray

import io.sparksieve.keyset.{KeyRange, LargestGaps}

/**
 * Covers keys held as bytes by ranges. The distance of two keys is that of their places: a place is
 * the number that the first bytes after the prefix of all keys make, with the bytes that occur
 * there as digits. So "k-19" and "k-20" are about as near as "k-18" and "k-19". A greater key never
 * has a lesser place.
 *
 * Takes 8 bytes for each key.
 *
 * @param keys
 *   at least one key
 */
private[sparksieve] final class BytesPlaces(keys: BytesKeySet) {

  import BytesPlaces._

  private val prefix: Int = {
    val (least, greatest) = (keys.min, keys.max)
    val longest = math.min(least.length, greatest.length)
    (0 until longest).find(i => least(i) != greatest(i)).getOrElse(longest)
  }

  /** For each byte its digit, from 1; 0 stands for the end of a key. */
  private val digits = new Array[Int](256)

  private val length: Int = {
    var longest = 0
    keys.forEach { (base: Object, offset: Long, bytes: Int) =>
      longest = math.max(longest, bytes)
      var i = prefix
      while (i < math.min(bytes, prefix + MostDigits)) {
        digits(Platform.getByte(base, offset + i) & 0xff) = 1
        i += 1
      }
    }
    (1 until 256).foreach(byte => digits(byte) += digits(byte - 1))
    math.min(longest - prefix, (63 / (math.log(digits(255) + 1.0) / math.log(2))).toInt)
  }

  /** Disjoint ranges of places, ascending, at most `atMost`, with the largest gaps between them. */
  def ranges(atMost: Int): Seq[KeyRange] = {
    val places = new Array[Long](Math.toIntExact(keys.size))
    var number = 0
    keys.forEach { (base: Object, offset: Long, length: Int) =>
      places(number) = place(base, offset, length)
      number += 1
    }
    Arrays.sort(places)
    val gaps = new LargestGaps(atMost)
    number = 0
    while (number < places.length) {
      if (number == 0 || places(number) != places(number - 1)) gaps.add(places(number))
      number += 1
    }
    gaps.ranges
  }

  /**
   * For each range of places the least and the greatest key in it.
   *
   * @param ranges
   *   disjoint and ascending, with the place of every key
   */
  def covering(ranges: Seq[KeyRange]): Seq[BytesRange] = {
    val ends = ranges.map(_.high).toArray
    val least, greatest = new Array[Array[Byte]](ends.length)
    keys.forEach { (base: Object, offset: Long, length: Int) =>
      val found = Arrays.binarySearch(ends, place(base, offset, length))
      val range = if (found >= 0) found else -found - 1
      val key = new Array[Byte](length)
      Platform.copyMemory(base, offset, key, Platform.BYTE_ARRAY_OFFSET, length.toLong)
      if (least(range) == null || ByteArray.compareBinary(key, least(range)) < 0)
        least(range) = key
      if (greatest(range) == null || ByteArray.compareBinary(key, greatest(range)) > 0)
        greatest(range) = key
    }
    least.toSeq.zip(greatest.toSeq).collect {
      case (low, high) if low != null => BytesRange(low, high)
    }
  }

  private def place(base: Object, offset: Long, bytes: Int): Long = {
    var number = 0L
    var i = prefix
    while (i < prefix + length) {
      val digit = if (i < bytes) digits(Platform.getByte(base, offset + i) & 0xff) else 0
      number = number * (digits(255) + 1) + digit
      i += 1
    }
    number
  }
}

private object BytesPlaces {

  /** No place has more digits: two different digits and the end of a key are three. */
  final val MostDigits = 39
}

/** The keys from `low` to `high` in unsigned byte order, both included. */
private[sparksieve] final case class BytesRange(low: Array[Byte], high: Array[Byte]) {

  /** Whether the range has exactly one key. */
  def isPoint: Boolean = Arrays.equals(low, high)
}
