package io.sparksieve.keyset

import java.util.Arrays

/**
 * Keys that lie where hashing puts them. The probes are the subclasses' own: each is one loop over
 * one kind of array.
 *
 * @param present
 *   what a probe asks first, see [[Presence]]
 */
private[keyset] abstract class HashedKeySet(present: Array[Long]) extends LongKeySet {

  private val shift = Presence.shift(present.length)

  /** Whether the key of this mixed form is no member for sure. */
  protected final def isAbsent(mixed: Long): Boolean =
    (present((mixed >>> shift).toInt) >>> mixed & 1L) == 0L

  protected final def presenceBytes: Long = Footprint.longs(present.length)

  override final def sorted: Array[Long] = {
    val keys = LongKeySets.toArray(this)
    Arrays.sort(keys)
    keys
  }

  override final def ranges(atMost: Int): Seq[KeyRange] = {
    val gaps = new LargestGaps(atMost)
    if (atMost == 1) Seq(KeyRange(min, max))
    else {
      val keys = sorted
      var i = 0
      while (i < keys.length) {
        gaps.add(keys(i))
        i += 1
      }
      gaps.ranges
    }
  }
}
