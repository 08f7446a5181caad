package io.sparksieve.keyset

/**
 * Several sets of longs side by side: asked once for a key, it says of each set whether the key is in
 * it. What [[size]] counts are the keys that are in some set.
 */
abstract class KeyMasks extends KeySet {

  /** Bits of a mask: a power of two, as many as there are sets at least. */
  def width: Int

  /** Bit i is 1 if `key` is in the set number i; other bits are 0. */
  def maskOf(key: Long): Long

  /**
   * The masks of the first `count` keys of a block. Without branches that could not be foreseen, so
   * that waits for memory overlap.
   */
  def load(block: KeyBlock, count: Int, masks: Array[Long]): Unit
}

/** Makes masks. */
object KeyMasks {

  /** A mask is a long. */
  final val MostSets = 64

  /**
   * The masks of sets.
   *
   * @param maxBytes
   *   what they may take while they are made, without the sets
   * @return
   *   None if they would take more, or if a set is not one of longs
   */
  def of(sets: Seq[KeySet], maxBytes: Long): Option[KeyMasks] = {
    require(sets.nonEmpty && sets.size <= MostSets, s"There are masks of 1 to $MostSets sets.")
    val longs = sets.collect { case s: LongKeySet => s }
    val (some, width) = (longs.filterNot(_.isEmpty), widthFor(sets.size))
    if (longs.size < sets.size) None
    else if (some.isEmpty) Some(new DenseKeyMasks(0, 0, 0, width, new Array[Long](1)))
    else {
      val (min, max) = (some.map(_.min).min, some.map(_.max).max)
      val dense = DenseKeyMasks.bytes(min, max, width)
      val hashed = HashedKeyMasks.bytes(some.map(_.size).sum, width)
      // Where most keys are in several sets, hashed ones are made twice.
      if (math.min(dense, hashed / 2 * 3) > maxBytes) None
      else if (dense <= hashed || hashed / 2 * 3 > maxBytes)
        Some(DenseKeyMasks.of(longs, min, max, width))
      else Some(HashedKeyMasks.of(longs, width))
    }
  }

  /** The next power of two: then no mask lies in two longs. */
  private[keyset] def widthFor(sets: Int): Int = {
    val highest = Integer.highestOneBit(sets)
    if (highest == sets) sets else 2 * highest
  }

  /** The lowest `width` bits. */
  private[keyset] def low(width: Int): Long = -1L >>> (64 - width)
}
