// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.build

import org.apache.spark.sql.types._

import io.sparksieve.keyset.{CompositeKeySetBuilder, KeySetBuilder}
import io.sparksieve.keyset.bytes.{BytesKeySetBuilder, BytesKeyType}
import io.sparksieve.keyset.longs.{BloomCaps, LongKeySetBuilder, LongKeyType}

/** Begins key sets: chooses the builder for the types of the key's columns. */
private[sparksieve] object KeySets {

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
   *   if there is no column, a type is not supported (see [[KeyTypes.supported]]), or a cap is
   *   below 1
   */
  def builder(
      dataTypes: Seq[DataType],
      maxKeys: Long,
      maxBytes: Long,
      beyond: Option[BloomCaps] = None): KeySetBuilder = {
    require(dataTypes.nonEmpty, "A key needs a column.")
    require(maxKeys >= 1, s"At least one key must be allowed, not $maxKeys.")
    require(maxBytes >= 1, s"At least one byte must be allowed, not $maxBytes.")
    val types = dataTypes.map { t =>
      KeyTypes.of(t).getOrElse(throw new IllegalArgumentException(s"No keys of type ${t.sql}."))
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
