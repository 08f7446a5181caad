package io.sparksieve.bulkfilter.load

import org.apache.spark.broadcast.Broadcast

import io.sparksieve.keyset.KeySet

/** The values of a leaf in tasks: one set, or several sets that are probed one after another. */
private[bulkfilter] sealed abstract class LoadedValues extends Serializable

/**
 * @param setClass
 *   the concrete class of the set, so that generated code calls its methods, not a superclass's
 */
private[bulkfilter] final case class OneSet(shared: Broadcast[KeySet], setClass: String)
    extends LoadedValues

/** Contains the keys that are in all parts. */
private[bulkfilter] final case class InAll(parts: Seq[LoadedValues]) extends LoadedValues

/** Contains the keys that are in at least one part. */
private[bulkfilter] final case class InAny(parts: Seq[LoadedValues]) extends LoadedValues

/** Contains the keys that are in `from` and not in `without`. */
private[bulkfilter] final case class InOnly(from: LoadedValues, without: LoadedValues)
    extends LoadedValues

/** Sets that are probed side by side: one answer for each part. */
private[bulkfilter] final case class InEach(parts: Seq[LoadedValues]) extends LoadedValues

private[bulkfilter] object InEach {

  /** The error for sets side by side where one set is expected. */
  def noSet: Exception = new IllegalStateException("Sets side by side are no set.")
}

private[bulkfilter] object OneSet {
  def apply(loaded: LoadedKeys): OneSet = OneSet(loaded.shared, loaded.keys.getClass.getName)
}
