package io.sparksieve.keyset

/**
 * An exact, immutable set of keys: Spark's internal values, equal as SQL's `=` has it. NaN equals
 * NaN, -0.0 equals 0.0, and NULL is never a member. How values become keys is [[KeyType]]'s; sets
 * come from [[KeySetBuilder]]. Serialisable by Java and by Kryo; readable from many threads.
 */
abstract class KeySet extends Serializable {

  /** Number of distinct keys. */
  def size: Long

  final def isEmpty: Boolean = size == 0

  /** Bytes on the heap, object headers included. */
  def byteSize: Long

  /**
   * How the keys are held, for reports: "range", "bitset", "hash32", "hash64", "bytes",
   * "composite", "empty", or as [[KeyMasks]] "masks of n bits", "hashed masks of n bits" or
   * "separate".
   */
  def kind: String
}
