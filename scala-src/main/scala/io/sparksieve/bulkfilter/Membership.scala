package io.sparksieve.bulkfilter

import org.apache.spark.broadcast.Broadcast

import io.sparksieve.keyset.KeySet

/** The values of a leaf as tasks have them: one set, or several that are asked one after another. */
sealed abstract class Membership extends Serializable

/**
 * @param setClass
 *   the set's own class, so that generated code calls it and no superclass
 */
final case class OneSet(shared: Broadcast[KeySet], setClass: String) extends Membership

/** In all of them. */
final case class InAll(parts: Seq[Membership]) extends Membership

/** In some of them. */
final case class InAny(parts: Seq[Membership]) extends Membership

/** In one and not in the other. */
final case class InOnly(from: Membership, without: Membership) extends Membership

/** In each of them or not: an answer for every one. */
final case class InEach(parts: Seq[Membership]) extends Membership

private[bulkfilter] object InEach {

  /** For who has several sets where there should be one. */
  def noSet: Exception = new IllegalStateException("Sets side by side are no set.")
}

private[bulkfilter] object OneSet {
  def apply(loaded: LoadedKeys): OneSet = OneSet(loaded.shared, loaded.keys.getClass.getName)
}
