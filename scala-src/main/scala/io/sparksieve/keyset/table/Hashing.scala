// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.table

/** Hash functions, slots and capacities of the hashed sets. */
private[keyset] object Hashing {

  /**
   * A bijection of the longs whose upper half depends on every bit of `key`. Keys that are a power
   * of two apart therefore spread like random keys. The constants are those of MurmurHash3's
   * finalizer.
   */
  def mix(key: Long): Long = {
    var h = key
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L
    h
  }

  /** Scales the 32 bits of `hash` to a slot below `capacity`, without a division. */
  def reduce(hash: Int, capacity: Int): Int = ((hash & 0xffffffffL) * capacity >>> 32).toInt

  /** The first slot to probe for `key` in a set of `capacity` slots. */
  def slot(key: Long, capacity: Int): Int = slotOf(mix(key), capacity)

  /** The first slot to probe, from the result of [[mix]] for the key. */
  def slotOf(mixed: Long, capacity: Int): Int = ((mixed >>> 32) * capacity >>> 32).toInt

  /**
   * The first slot to probe in the growing table that a set is built from. Its hash must differ
   * from the set's: keys that arrive in slot order would all crowd into the front of a table that
   * still grows.
   */
  def buildSlot(key: Long, capacity: Int): Int = slot(key ^ BuildSalt, capacity)

  /** XORed with the keys of a growing table before they are mixed. */
  final val BuildSalt = 0x9e3779b97f4a7c15L

  /**
   * The first slot at or after `start`, wrapping around, that holds `free`. At least one slot must
   * be free.
   */
  def firstFree(slots: Array[Int], free: Int, start: Int): Int = {
    var i = start
    while (slots(i) != free) {
      i += 1
      if (i == slots.length) i = 0
    }
    i
  }

  /** Slots for `keys` keys: half of them stay free, up to the greatest array length. */
  def capacity(keys: Long): Long = math.min(math.max(2 * keys, 2), Footprint.LongestArray)

  /**
   * Slots for a set of `keys` keys behind a [[PresenceFilter]]. Only a third of the slots stay
   * free, because the filter stops most lookups of absent keys before they probe.
   */
  def capacityBehindPresence(keys: Long): Long =
    math.min(math.max(keys + keys / 2, 2), Footprint.LongestArray)
}
