package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.DataType

/**
 * Collects keys for a [[KeySet]] until a cap is met; then it gives up, lets go of what it has,
 * and ignores what comes. For one thread.
 *
 * Keys, rows and sets may come in any order, and any number of times; `result` may be asked for
 * more than once, between additions too.
 */
abstract class KeySetBuilder {

  /** Adds the key that the columns of `row` make, unless one is NULL. The row is read at once. */
  def add(row: InternalRow): Unit

  /**
   * Adds an encoded key; see [[LongKeyType]].
   *
   * @throws UnsupportedOperationException
   *   if the builder's keys are not of the long family
   */
  def addLong(key: Long): Unit =
    throw new UnsupportedOperationException(s"Keys not held as longs cannot take $key.")

  /**
   * Adds the keys of a set that was built for the same types.
   *
   * @throws IllegalArgumentException
   *   if the set is of another kind of keys
   */
  def merge(other: KeySet): Unit

  /**
   * Gives up because another builder for a part of the same keys has.
   *
   * @param others
   *   that builder's bounds, which the bounds of this one then cover too
   */
  def mergeGivenUp(others: Option[(Long, Long)]): Unit

  /** Number of distinct keys so far; 0 after giving up. */
  def size: Long

  /** Whether a cap was met. */
  def gaveUp: Boolean

  /**
   * The least and the greatest key so far as encoded longs: of every key that came, after giving
   * up too. None if no key came, and for keys that are not of the long family.
   */
  def bounds: Option[(Long, Long)]

  /** The set of the keys so far; None if a cap was met, be it by the set itself. */
  def result(): Option[KeySet]
}

object KeySetBuilder {

  /**
   * A builder without keys.
   *
   * @param dataTypes
   *   types of the key's columns
   * @param maxKeys
   *   distinct keys at most
   * @param maxBytes
   *   bytes of memory at most, at any one time: of the builder while it collects and grows, and
   *   of the builder and the set together when the result is made. It is known before memory is
   *   asked for. Longs need up to 40 bytes a key, bytes up to three times their length and 48.
   * @throws IllegalArgumentException
   *   if there is no column, a type is not supported (see [[KeyType.supported]]), or a cap is
   *   below 1
   */
  def apply(dataTypes: Seq[DataType], maxKeys: Long, maxBytes: Long): KeySetBuilder = {
    require(dataTypes.nonEmpty, "A key needs a column.")
    require(maxKeys >= 1, s"At least one key must be allowed, not $maxKeys.")
    require(maxBytes >= 1, s"At least one byte must be allowed, not $maxBytes.")
    val types = dataTypes.map { t =>
      KeyType.of(t).getOrElse(throw new IllegalArgumentException(s"No keys of type ${t.sql}."))
    }
    types match {
      case Seq(t: LongKeyType) => new LongKeySetBuilder(t, maxKeys, maxBytes)
      case Seq(t: BytesKeyType) => new BytesKeySetBuilder(t, maxKeys, maxBytes)
      case _ => new CompositeKeySetBuilder(dataTypes, maxKeys, maxBytes)
    }
  }
}
