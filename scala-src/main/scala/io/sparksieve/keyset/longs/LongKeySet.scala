// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.util.function.LongConsumer

import io.sparksieve.keyset.KeyRange

/**
 * Exactly the keys of one column whose type has an order-preserving encoding as a long
 * ([[LongKeyType]]). All keys passed to and returned by this class are encoded longs.
 */
private[sparksieve] abstract class LongKeySet extends LongKeyFilter {

  /** Whether `key` is a member; see [[LongKeyFilter.contains]]. */
  override def contains(key: Long): Boolean

  /** Passes every key to `consumer` once, in an unspecified order. */
  def forEach(consumer: LongConsumer): Unit

  /** The keys in ascending order, 8 bytes per key. At most about 2 billion keys. */
  def sorted: Array[Long]

  /**
   * The tightest cover of all keys by at most `atMost` disjoint ranges, in ascending order.
   * Adjacent keys share a range, so there may be fewer ranges than `atMost`; an empty set has none.
   * Hashed sets sort a copy of their keys, which takes 8 bytes per key during the call.
   *
   * @throws IllegalArgumentException
   *   if `atMost` is below 1
   */
  override def ranges(atMost: Int): Seq[KeyRange]
}
