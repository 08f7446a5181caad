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

  /** What marks a free slot. */
  private[keyset] def free: Long

  private[keyset] def numSlots: Int

  /**
   * Writes the keys of some slots to the front of `keys`, which must be as long.
   *
   * @return
   *   how many they are
   */
  private[keyset] def keysOf(from: Int, until: Int, keys: Array[Long]): Int

  /** What Java's serialisation writes instead. */
  protected final def writeReplace(): AnyRef = new SentKeys(this)

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

private[keyset] object HashedKeySet {

  /**
   * A set that takes its keys some at a time, best as [[HashOrder]] puts them.
   *
   * @param size
   *   how many keys come
   */
  abstract class Filling(size: Long) {

    /** Distinct keys so far. */
    protected var taken = 0L

    /** Takes the first `count` of `keys`. */
    def add(keys: Array[Long], count: Int): Unit

    /** The set, when all keys have come. One that has slots for more is made once more. */
    final def result: HashedKeySet =
      if (taken == size) made
      else {
        val keys = LongKeySets.toArray(made)
        val exact = another(taken)
        exact.add(keys, keys.length)
        exact.result
      }

    /** The set in the slots there are. */
    protected def made: HashedKeySet

    protected def another(size: Long): Filling
  }
}
