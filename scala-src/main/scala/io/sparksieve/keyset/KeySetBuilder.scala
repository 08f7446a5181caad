// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.InternalRow

/**
 * Collects keys for a [[KeySet]]. When a cap is met, the builder gives up: it drops its keys and
 * ignores further ones. A builder with [[longs.BloomCaps]] keeps an approximate form instead
 * ([[longs.BloomKeySet]], [[longs.RangesKeySet]]), for keys of types that have one. Not thread-safe.
 *
 * Keys, rows and sets may be added in any order and repeatedly. `result` may be called more than
 * once, also between additions.
 */
private[sparksieve] abstract class KeySetBuilder {

  /**
   * Adds the key that consists of the columns of `row`, unless a column is NULL. The caller may
   * reuse the row after the call.
   */
  def add(row: InternalRow): Unit

  /**
   * Adds an encoded key; see [[longs.LongKeyType]].
   *
   * @throws UnsupportedOperationException
   *   if the builder's keys are not held as longs
   */
  def addLong(key: Long): Unit =
    throw new UnsupportedOperationException(s"Keys not held as longs cannot take $key.")

  /**
   * Adds the keys of a set that was built for the same types.
   *
   * @throws IllegalArgumentException
   *   if the set holds another kind of keys
   */
  def merge(other: KeySet): Unit

  /**
   * Gives up because another builder, for another part of the same keys, gave up.
   *
   * @param others
   *   the bounds of that builder; the bounds of this builder are extended by them
   */
  def mergeGivenUp(others: Option[(Long, Long)]): Unit

  /** Number of distinct keys so far; 0 after the builder gave up. */
  def size: Long

  /** Whether a cap was met. */
  def gaveUp: Boolean

  /**
   * The least and the greatest key so far as encoded longs. They cover every key that was added,
   * even after the builder gave up. None if no key was added, or if keys are not held as longs.
   */
  def bounds: Option[(Long, Long)]

  /** The set of the keys so far; None if a cap was met, possibly by the size of the set itself. */
  def result(): Option[KeySet]

  /**
   * As [[result]], for a builder that had a part of the keys: another builder with the same caps can
   * merge the set.
   */
  def part(): Option[KeySet] = result()
}
