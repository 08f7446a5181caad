// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import io.sparksieve.keyset.KeyRange

/**
 * A set of keys as ranges.
 *
 * @param ranges
 *   ascending ranges that neither overlap nor touch each other; see [[RangeSet.of]]
 */
private[rangesource] final case class RangeSet(ranges: Vector[KeyRange]) {

  def isEmpty: Boolean = ranges.isEmpty

  /** The number of keys. */
  def size: Long = ranges.iterator.map(RangeSet.count).sum

  @transient private lazy val lows = ranges.iterator.map(_.low).toArray

  def contains(key: Long): Boolean = {
    val found = java.util.Arrays.binarySearch(lows, key)
    // If the key is not the start of a range, look in the last range that starts before it.
    val index = if (found >= 0) found else -found - 2
    index >= 0 && key <= ranges(index).high
  }

  def intersect(other: RangeSet): RangeSet = {
    val result = Vector.newBuilder[KeyRange]
    var (i, j) = (0, 0)
    while (i < ranges.size && j < other.ranges.size) {
      val (a, b) = (ranges(i), other.ranges(j))
      val (low, high) = (math.max(a.low, b.low), math.min(a.high, b.high))
      if (low <= high) result += KeyRange(low, high)
      if (a.high <= b.high) i += 1 else j += 1
    }
    RangeSet(result.result())
  }

  /** The keys of `all` that are not in this set. */
  def complementIn(all: KeyRange): RangeSet = {
    val starts = all.low +: ranges.map(_.high + 1)
    val ends = ranges.map(_.low - 1) :+ all.high
    val gaps = starts.zip(ends).collect {
      case (low, high) if math.max(low, all.low) <= math.min(high, all.high) =>
        KeyRange(math.max(low, all.low), math.min(high, all.high))
    }
    RangeSet(gaps)
  }

  /** The first `count` keys, or all keys if there are fewer. */
  def take(count: Long): RangeSet = splitAt(count)._1

  /** All but the first `count` keys. */
  def drop(count: Long): RangeSet = splitAt(count)._2

  /** The last `count` keys, or all keys if there are fewer. */
  def takeRight(count: Long): RangeSet = drop(math.max(0L, size - count))

  private def splitAt(count: Long): (RangeSet, RangeSet) = {
    var left = count
    val (before, after) = (Vector.newBuilder[KeyRange], Vector.newBuilder[KeyRange])
    ranges.foreach { range =>
      val here = math.min(math.max(left, 0L), RangeSet.count(range))
      if (here > 0) before += KeyRange(range.low, range.low + here - 1)
      if (here < RangeSet.count(range)) after += KeyRange(range.low + here, range.high)
      left -= here
    }
    (RangeSet(before.result()), RangeSet(after.result()))
  }

  /** At most `parts` consecutive parts, none of them empty, whose sizes differ by at most one. */
  def split(parts: Int): Seq[RangeSet] = {
    val total = size
    val count = math.min(parts.toLong, total).toInt
    val sizes = (0 until count).map(i => total * (i + 1) / count - total * i / count)
    val (slices, _) = sizes.foldLeft((Vector.empty[RangeSet], this)) { case ((done, rest), n) =>
      val (here, after) = rest.splitAt(n)
      (done :+ here, after)
    }
    slices
  }

  /** The first ten ranges, and the number of the others. */
  override def toString: String = {
    val shown =
      ranges.take(RangeSet.Shown).map(r => if (r.isPoint) s"${r.low}" else s"${r.low}..${r.high}")
    val more = ranges.size - shown.size
    (shown ++ (if (more > 0) Seq(s"and $more more") else Nil)).mkString("[", ", ", "]")
  }
}

private[rangesource] object RangeSet {

  private val Shown = 10

  val Empty: RangeSet = RangeSet(Vector.empty)

  def apply(low: Long, high: Long): RangeSet =
    if (low > high) Empty else RangeSet(Vector(KeyRange(low, high)))

  /** The keys of all `ranges`, which may be in any order and may overlap. */
  def of(ranges: Seq[KeyRange]): RangeSet = {
    val merged = Vector.newBuilder[KeyRange]
    var open: Option[KeyRange] = None
    ranges.sortBy(_.low).foreach { range =>
      open = open match {
        case Some(before) if range.low <= before.high + 1 =>
          Some(KeyRange(before.low, math.max(before.high, range.high)))
        case before =>
          before.foreach(merged += _)
          Some(range)
      }
    }
    open.foreach(merged += _)
    RangeSet(merged.result())
  }

  private def count(range: KeyRange) = range.high - range.low + 1
}
