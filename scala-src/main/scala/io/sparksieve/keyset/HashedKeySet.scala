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

  /**
   * Whether a slot from `slot` on, around the end and before the first free one, holds `key`, which
   * may lie beyond the bounds.
   */
  protected def isHeld(key: Long, slot: Int): Boolean

  /** What [[load]] yields for a free slot: no key. */
  protected def freeKey: Long

  /** Writes to `held` the keys in the slots `at`, `count` of them, or [[freeKey]]. */
  protected def load(at: Array[Int], count: Int, held: Array[Long]): Unit

  /**
   * Answers for the first `count` keys of a block, in its `found`. Each loop does one thing for all
   * keys, without a branch that could not be foreseen: so the waits for memory overlap, where
   * [[contains]] begins anew whenever a branch was foreseen wrongly.
   */
  final def find(block: KeyBlock, count: Int): Unit = {
    val maybe = findPresent(block, count)
    load(block.slots, maybe, block.held)
    val rest = compareFirst(block, maybe)
    var i = 0
    while (i < rest) {
      block.found(block.places(i)) = if (isHeld(block.open(i), block.slots(i))) 1 else 0
      i += 1
    }
  }

  /** Opens the keys that may be members, and says of all that they are none; yields how many. */
  private def findPresent(block: KeyBlock, count: Int): Int = {
    val keys = block.keys
    val found = block.found
    val open = block.open
    val places = block.places
    val slots = block.slots
    val capacity = numSlots
    var i = 0
    var n = 0
    while (i < count) {
      val key = keys(i)
      val mixed = Mix.mix(key)
      found(i) = 0
      open(n) = key
      places(n) = i
      slots(n) = Mix.slotOf(mixed, capacity)
      n += (present((mixed >>> shift).toInt) >>> mixed).toInt & 1
      i += 1
    }
    n
  }

  /** Compares open keys with what their slots hold; yields how many must ask the next slot. */
  private def compareFirst(block: KeyBlock, count: Int): Int = {
    val found = block.found
    val open = block.open
    val places = block.places
    val slots = block.slots
    val held = block.held
    val free = freeKey
    val capacity = numSlots
    var i = 0
    var n = 0
    while (i < count) {
      val key = open(i)
      val place = places(i)
      val next = slots(i) + 1
      val isFree = HashedKeySet.isZero(held(i) ^ free)
      // Who asks for the very value that marks a free slot must not find it there.
      val isKey = HashedKeySet.isZero(held(i) ^ key) & ~isFree
      found(place) = isKey.toByte
      open(n) = key
      places(n) = place
      slots(n) = if (next == capacity) 0 else next
      n += (isFree | isKey) ^ 1
      i += 1
    }
    n
  }

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

  /** 1 for 0, and 0 for all else. */
  private def isZero(bits: Long): Int = ((bits | -bits) >>> 63).toInt ^ 1

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
