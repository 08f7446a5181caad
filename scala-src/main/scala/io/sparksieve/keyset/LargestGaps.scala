package io.sparksieve.keyset

import java.util.{Comparator, PriorityQueue}

/**
 * Cuts ascending keys into ranges at the largest gaps between neighbours, which leaves the least
 * total width that so many ranges can have. It keeps no more than the gaps it will cut at.
 *
 * @param atMost
 *   number of ranges
 */
private[keyset] final class LargestGaps(atMost: Int) {
  require(atMost >= 1, s"Keys need at least one range, not $atMost.")

  import LargestGaps._

  private val kept = new PriorityQueue[Gap](Narrowest)
  private var first = 0L
  private var last = 0L
  private var any = false

  /** Takes the next key, which must be greater than the one before. */
  def add(key: Long): Unit = {
    if (!any) {
      any = true
      first = key
    } else if (key - last != 1) cut(last, key)
    last = key
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

  /** The keys between `below` and `above`, neither of them included, are no members. */
  final class Gap(val below: Long, val above: Long) {
    // Keys may lie further apart than a signed long can say.
    def width: Long = above - below
  }

  def isWider(a: Long, b: Long): Boolean = java.lang.Long.compareUnsigned(a, b) > 0

  val Narrowest: Comparator[Gap] = new Comparator[Gap] {
    override def compare(a: Gap, b: Gap): Int = java.lang.Long.compareUnsigned(a.width, b.width)
  }
}
