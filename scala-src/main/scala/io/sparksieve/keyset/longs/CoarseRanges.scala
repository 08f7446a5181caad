// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.lang.Long.compareUnsigned

import io.sparksieve.keyset.{KeyRange, LargestGaps}

/**
 * Covers keys by a few ranges, in a fixed amount of memory and in any order of the keys: notes which
 * of 65,536 cells of equal width have a key. If a key lies beyond the cells, they become wider by a
 * power of two. The ranges are cut at the widest runs of empty cells.
 */
private[keyset] final class CoarseRanges {
  import CoarseRanges._

  private val cells = new Array[Long](Cells / 64)
  private var any = false
  // A cell has the keys whose unsigned form, shifted right by `shift`, is the number of the cell.
  private var shift = 0
  // The number of the first cell.
  private var first = 0L

  def add(key: Long): Unit = {
    var place = (unsigned(key) >>> shift) - first
    // Not below 0 and not from `Cells` on.
    if (!any || (place & -Cells) != 0) {
      cover(unsigned(key))
      place = (unsigned(key) >>> shift) - first
    }
    cells((place >>> 6).toInt) |= 1L << place
  }

  /** Adds all keys from `low` to `high`. */
  def add(low: Long, high: Long): Unit = {
    add(low)
    add(high)
    var place = ((unsigned(low) >>> shift) - first).toInt
    val last = ((unsigned(high) >>> shift) - first).toInt
    while (place < last) {
      cells(place >>> 6) |= 1L << place
      place += 1
    }
  }

  /**
   * Moves and widens the cells so that `key` and all keys so far have one. The low end of a cell is
   * enough for that: all keys of a cell share any wider one.
   */
  private def cover(key: Long): Unit = {
    val had = if (any) occupied else Array.emptyIntArray
    val lows = had.map(place => (first + place) << shift)
    val (below, above) =
      if (any) (lower(lows.head, key), higher(lows.last, key)) else (key, key)
    // Half of the cells are spare, so that it takes many new cells until they have to move again.
    def width = (above >>> shift) - (below >>> shift)
    while (compareUnsigned(width, Cells / 2L) >= 0) shift += 1
    val spare = (Cells - width) / 2
    val lowest = below >>> shift
    first = if (compareUnsigned(lowest, spare) < 0) 0 else lowest - spare
    // The numbers of the cells must not wrap around.
    if (shift == 0) first = lower(first, -Cells.toLong)
    any = true
    java.util.Arrays.fill(cells, 0)
    lows.foreach { low =>
      val place = (low >>> shift) - first
      cells((place >>> 6).toInt) |= 1L << place
    }
  }

  /** The cells that have a key, ascending. */
  private def occupied: Array[Int] =
    (0 until Cells).filter(place => (cells(place >>> 6) >>> place & 1L) != 0).toArray

  /**
   * The ends of the ranges, low and high in turn, ascending.
   *
   * @param min
   *   the least key
   * @param max
   *   the greatest key
   */
  def result(min: Long, max: Long): Array[Long] = {
    val gaps = new LargestGaps(MaxRanges)
    occupied.foreach { place =>
      val low = unsigned((first + place) << shift)
      val high = unsigned(((first + place) << shift) + (1L << shift) - 1)
      gaps.add(math.max(low, min), math.min(high, max))
    }
    gaps.ranges.flatMap(r => Seq(r.low, r.high)).toArray
  }
}

private[keyset] object CoarseRanges {

  private final val Cells = 1 << 16

  /** The most ranges of a result. */
  final val MaxRanges = 64

  // Turns the signed order into the unsigned one, and back.
  private def unsigned(key: Long) = key ^ Long.MinValue

  private def lower(a: Long, b: Long) = if (compareUnsigned(a, b) <= 0) a else b

  private def higher(a: Long, b: Long) = if (compareUnsigned(a, b) >= 0) a else b

  /** Ranges given by their ends, as at most `atMost` ranges. */
  def merged(ends: Array[Long], atMost: Int): Seq[KeyRange] = {
    val gaps = new LargestGaps(atMost)
    var i = 0
    while (i < ends.length) {
      gaps.add(ends(i), ends(i + 1))
      i += 2
    }
    gaps.ranges
  }
}
