// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import io.sparksieve.common.Numbers

/**
 * An immutable set of keys. It is exact, except for the forms that a builder with
 * [[longs.BloomCaps]] takes beyond its caps ([[longs.LongKeyFilter]]). Keys are Spark's internal
 * values and are compared like SQL's `=`: NaN equals NaN, -0.0 equals 0.0, and NULL is never a
 * member. [[KeyType]] encodes values as keys; [[KeySetBuilder]] builds sets. Serialisable by Java
 * and by Kryo; many threads can read it.
 */
private[sparksieve] abstract class KeySet extends Serializable {

  /**
   * Number of distinct keys; for several sets combined, see [[masks.KeyMasks]]. An estimate for
   * a [[longs.BloomKeySet]], and too low for a [[longs.RangesKeySet]]; at least 1 for both.
   */
  def size: Long

  final def isEmpty: Boolean = size == 0

  /** Bytes on the heap, including object headers. */
  def byteSize: Long

  /**
   * Name of the representation, for reports: "range", "bitset", "hash32", "hash64", "bytes",
   * "composite", "empty", "bloom" or "ranges"; for [[masks.KeyMasks]] "masks of n bits", "hashed
   * masks of n bits" or "separate".
   */
  def kind: String

  /** Whether generated code can look up [[KeyBlock]]s: by `find`, of [[longs.HashedKeySet]]. */
  def takesBlocks: Boolean = false

  /** The number of keys and, unless that is exact, the form, for reports. */
  def summary: String = Numbers.counted(size, "key")
}
