package io.sparksieve.keyset

/**
 * Keys that a set or masks are asked for together, and what is noted on the way. For one thread, and
 * for generated code too.
 */
final class KeyBlock {

  /** The keys that are asked for, in the first places. */
  val keys = new Array[Long](KeyBlock.Size)

  /** For each of them 1 where the key is NULL, else 0: a note of who asks, which no set reads. */
  val nulls = new Array[Byte](KeyBlock.Size)

  /** The answers: for each key 1 if it is a member, else 0. */
  val found = new Array[Byte](KeyBlock.Size)

  /** Keys whose answer is not known yet. */
  private[keyset] val open = new Array[Long](KeyBlock.Size)

  /** For each of those, its place in [[keys]]. */
  private[keyset] val places = new Array[Int](KeyBlock.Size)

  /** For each of those, the slot that is asked next; for masks, the first slot of each key. */
  private[keyset] val slots = new Array[Int](KeyBlock.Size)

  /** For each of those, what that slot holds. */
  private[keyset] val held = new Array[Long](KeyBlock.Size)
}

object KeyBlock {

  /** Keys of a block: all that belongs to it lies in the nearest cache. */
  final val Size = 256

  /** Whether `set` takes blocks of keys: generated code calls [[HashedKeySet.find]] on it. */
  def serves(set: KeySet): Boolean = set.isInstanceOf[HashedKeySet]
}
