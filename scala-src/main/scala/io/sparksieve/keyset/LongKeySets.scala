package io.sparksieve.keyset

/** Which of the sets of longs holds given keys in the fewest bytes. */
private[keyset] object LongKeySets {

  /**
   * The set of what `table` holds.
   *
   * @param maxBytes
   *   what the set may take
   * @return
   *   None if it would take more; no memory is asked for then
   */
  def of(table: LongTable, maxBytes: Long): Option[LongKeySet] = {
    val (keys, min, max) = (table.size, table.min, table.max)
    val capacity = Mix.capacityBehindPresence(keys)
    val narrow = HashKeySet32.fits(min, max)
    val slots = if (narrow) Footprint.ints(capacity) else Footprint.longs(capacity)
    val hashed = slots + Footprint.longs(Presence.words(keys))
    if (keys == 0) Some(new EmptyKeySet)
    else if (max - min == keys - 1) Some(new RangeKeySet(min, max))
    else if (Footprint.longs(BitKeySet.words(min, max)) <= math.min(hashed, maxBytes))
      Some(BitKeySet.of(table))
    else if (hashed > maxBytes) None
    else if (narrow) Some(HashKeySet32.of(table, capacity.toInt))
    else Some(HashKeySet64.of(table, capacity.toInt))
  }

  /** The keys of `set` as it gives them. */
  def toArray(set: LongKeySet): Array[Long] = {
    val keys = new Array[Long](Math.toIntExact(set.size))
    var i = 0
    set.forEach { key =>
      keys(i) = key
      i += 1
    }
    keys
  }
}
