// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.util.{Comparator, PriorityQueue}

/**
 * Cuts ascending keys into ranges at the largest gaps between neighbours. This yields the least
 * total width that this number of ranges can have. Only the gaps to cut at are kept in memory.
 *
 * @param atMost
 *   greatest number of ranges
 */
private[keyset] final class LargestGaps(atMost: Int) {
  require(atMost >= 1, s"Keys need at least one range, not $atMost.")

  import LargestGaps._

  private val kept = new PriorityQueue[Gap](Narrowest)
  private var first = 0L
  private var last = 0L
  private var any = false

  /** Adds the next key, which must be greater than the previous key. */
  def add(key: Long): Unit = add(key, key)

  /** Adds all keys from `low` to `high`, which must be greater than the previous key. */
  def add(low: Long, high: Long): Unit = {
    if (!any) {
      any = true
      first = low
    } else if (low - last != 1) cut(last, low)
    last = high
  }

  private def cut(below: Long, above: Long): Unit =
    if (kept.size < atMost - 1) {
      kept.add(new Gap(below, above))
      ()
    } else if (!kept.isEmpty && isWider(above - below, kept.peek.width)) {
      kept.poll()
      kept.add(new Gap(below, above))
      ()
    }

  /** The ranges of the keys so far, ascending. */
  def ranges: Seq[KeyRange] =
    if (!any) Nil
    else {
      val gaps = kept.toArray(new Array[Gap](0)).sortBy(_.below)
      val lows = first +: gaps.map(_.above)
      val highs = gaps.map(_.below) :+ last
      lows.indices.map(i => KeyRange(lows(i), highs(i)))
    }
}

private object LargestGaps {

  /** No long between `below` and `above`, both exclusive, is a key. */
  final class Gap(val below: Long, val above: Long) {
    // Unsigned: the distance of two keys may exceed the greatest signed long.
    def width: Long = above - below
  }

  def isWider(a: Long, b: Long): Boolean = java.lang.Long.compareUnsigned(a, b) > 0

  val Narrowest: Comparator[Gap] = new Comparator[Gap] {
    override def compare(a: Gap, b: Gap): Int = java.lang.Long.compareUnsigned(a.width, b.width)
  }
}

/** The encoded longs from `low` to `high`, both included. */
private[sparksieve] final case class KeyRange(low: Long, high: Long) {

  /** Whether the range has exactly one key. */
  def isPoint: Boolean = low == high
}
