// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

/**
 * A batch of keys that a set or masks look up together, with their results and working memory. Not
 * thread-safe; generated code uses it too.
 */
private[sparksieve] final class KeyBlock {

  /** The keys to look up, in the first elements. */
  val keys = new Array[Long](KeyBlock.Size)

  /** For each key 1 if it is NULL, else 0. Only the evaluator writes and reads it, not the sets. */
  val nulls = new Array[Byte](KeyBlock.Size)

  /** The results: for each key 1 if it is a member, else 0. */
  val found = new Array[Byte](KeyBlock.Size)

  /** The open keys, whose result is not known yet. */
  private[keyset] val open = new Array[Long](KeyBlock.Size)

  /** For each open key, its index in [[keys]]. */
  private[keyset] val places = new Array[Int](KeyBlock.Size)

  /** For each open key, the slot to probe next; for masks, the first slot of each key. */
  private[keyset] val slots = new Array[Int](KeyBlock.Size)

  /** For each open key (for masks, each key), the content of that slot. */
  private[keyset] val held = new Array[Long](KeyBlock.Size)
}

private[sparksieve] object KeyBlock {

  /** Keys per block. With this size all arrays of a block fit in the L1 cache. */
  final val Size = 256
}
