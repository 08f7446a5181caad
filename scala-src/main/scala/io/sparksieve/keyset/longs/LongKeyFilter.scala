// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import io.sparksieve.keyset.{KeyRange, KeySet}

/**
 * Keys of one column whose type has an order-preserving encoding as a long ([[LongKeyType]]),
 * possibly with others: [[contains]] is true for every key that was collected, and may be true for
 * other longs. So a row may be dropped if its key is not contained, and nothing follows from a key
 * that is contained. Whatever needs the keys themselves (to list or negate them) takes a
 * [[LongKeySet]], which is exact.
 */
private[sparksieve] abstract class LongKeyFilter extends KeySet {

  /**
   * Whether `key` may be a member. Allocates nothing. Generated code should call this method on the
   * set's concrete class, so that the call is statically bound.
   */
  def contains(key: Long): Boolean

  /** The least key; NoSuchElementException if there is none. */
  def min: Long

  /** The greatest key; NoSuchElementException if there is none. */
  def max: Long

  /**
   * A cover of all keys by at most `atMost` disjoint ranges, in ascending order; an empty set has
   * none.
   *
   * @throws IllegalArgumentException
   *   if `atMost` is below 1
   */
  def ranges(atMost: Int): Seq[KeyRange]
}
