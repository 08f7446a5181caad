package io.sparksieve.keyset

/** Where keys of hashed sets lie. */
private[keyset] object Mix {

  /**
   * A bijection of the longs whose upper half depends on every bit of `key`, so that keys a power
   * of two apart spread as random ones do. The constants are those of MurmurHash3's finisher.
   */
  def mix(key: Long): Long = {
    var h = key
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L
    h
  }

  /** The slot of `hash`, 32 bits, out of `capacity`: in proportion, without a division. */
  def reduce(hash: Int, capacity: Int): Int = ((hash & 0xffffffffL) * capacity >>> 32).toInt

  /** Where the probe for `key` begins in a set of `capacity` slots. */
  def slot(key: Long, capacity: Int): Int = slotOf(mix(key), capacity)

  /** The same, given the key's mixed form. */
  def slotOf(mixed: Long, capacity: Int): Int = ((mixed >>> 32) * capacity >>> 32).toInt

  /**
   * The same for the table from which a set is made. It must be another one: keys that come in
   * the order of their slots, into a table that still grows, would all crowd into its front.
   */
  def buildSlot(key: Long, capacity: Int): Int = slot(key ^ BuildSalt, capacity)

  /** What the keys of a table that grows are crossed with before they are mixed. */
  final val BuildSalt = 0x9e3779b97f4a7c15L

  /** The first slot from `start` on, around the end, that holds `free`; there must be one. */
  def firstFree(slots: Array[Int], free: Int, start: Int): Int = {
    var i = start
    while (slots(i) != free) {
      i += 1
      if (i == slots.length) i = 0
    }
    i
  }

  /** Slots for `keys` keys: half of them stay free, while an array can be as long as that. */
  def capacity(keys: Long): Long = math.min(math.max(2 * keys, 2), Footprint.LongestArray)

  /**
   * Slots for a set of `keys` keys that asks [[Presence]] first: a third of them stay free, because
   * hardly a probe comes that finds nothing.
   */
  def capacityBehindPresence(keys: Long): Long =
    math.min(math.max(keys + keys / 2, 2), Footprint.LongestArray)
}
