// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._

import io.sparksieve.keyset.bytes.{BytesKeySetBuilder, BytesKeyType}
import io.sparksieve.keyset.longs.{BloomCaps, LongKeySetBuilder, LongKeyType}

/**
 * Collects keys for a [[KeySet]]. When a cap is met, the builder gives up: it drops its keys and
 * ignores further ones. A builder with [[BloomCaps]] keeps an approximate form instead
 * ([[BloomKeySet]], [[RangesKeySet]]), for keys of types that have one. Not thread-safe.
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
   * Adds an encoded key; see [[LongKeyType]].
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

private[sparksieve] object KeySetBuilder {

  /**
   * Creates an empty builder.
   *
   * @param dataTypes
   *   types of the key's columns
   * @param maxKeys
   *   greatest number of distinct keys
   * @param maxBytes
   *   greatest number of bytes of memory at any one time: of the builder while it collects and
   *   grows, and of the builder and the set together when the result is built. The cap is checked
   *   before memory is allocated. A key held as a long needs up to 40 bytes, a key held as bytes up
   *   to three times its length plus 48 bytes.
   * @param beyond
   *   what to keep of keys beyond these caps; None to give up. Ignored for keys that are no
   *   integral numbers, dates, timestamps, or decimals of at most 18 digits
   * @throws IllegalArgumentException
   *   if there is no column, a type is not supported (see [[KeyType.supported]]), or a cap is
   *   below 1
   */
  def apply(
      dataTypes: Seq[DataType],
      maxKeys: Long,
      maxBytes: Long,
      beyond: Option[BloomCaps] = None): KeySetBuilder = {
    require(dataTypes.nonEmpty, "A key needs a column.")
    require(maxKeys >= 1, s"At least one key must be allowed, not $maxKeys.")
    require(maxBytes >= 1, s"At least one byte must be allowed, not $maxBytes.")
    val types = dataTypes.map { t =>
      KeyType.of(t).getOrElse(throw new IllegalArgumentException(s"No keys of type ${t.sql}."))
    }
    types match {
      case Seq(t: LongKeyType) =>
        new LongKeySetBuilder(t, maxKeys, maxBytes, beyond.filter(_ => hasBloomForm(t.dataType)))
      case Seq(t: BytesKeyType) => new BytesKeySetBuilder(t, maxKeys, maxBytes)
      case _ => new CompositeKeySetBuilder(dataTypes, maxKeys, maxBytes)
    }
  }

  private def hasBloomForm(dataType: DataType) = dataType match {
    case ByteType | ShortType | IntegerType | LongType => true
    case DateType | TimestampType | TimestampNTZType | _: DecimalType => true
    case _ => false
  }
}
