// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.util.Arrays

import org.apache.parquet.hadoop.metadata.ParquetMetadata

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructField
import org.apache.spark.unsafe.types.ByteArray

import io.sparksieve.keyset.KeySet
import io.sparksieve.keyset.bytes.{BytesKeySet, BytesRange}
import io.sparksieve.keyset.longs.{LongKeyFilter, LongKeySet}

/**
 * Tests whether the row groups of a Parquet file can contain a key, by the statistics of a column
 * in the file's footer.
 */
private[sparksieve] sealed abstract class FileTest {

  /** For each row group, whether it can contain a key. */
  def holds(footer: ParquetMetadata): Seq[Boolean]
}

private[sparksieve] object FileTest {

  /** The test of a column that is [[supports supported]]; None for keys that have no order. */
  def apply(field: StructField, keys: KeySet, caseSensitive: Boolean): Option[FileTest] =
    keys match {
      case longs: LongKeyFilter if FooterColumn.supports(field.dataType) =>
        Some(new OfLongs(new FooterColumn(field, caseSensitive), longs))
      case bytes: BytesKeySet if FooterBytes.supports(field.dataType) =>
        Some(new OfBytes(new FooterBytes(field, caseSensitive), bytes))
      case _ => None
    }

  /** Whether a column's statistics can be looked up in footers, by its name and type. */
  def supports(field: StructField, conf: SQLConf): Boolean = {
    val byId = conf.parquetFieldIdReadEnabled && field.metadata.contains(FieldId)
    val byName = !byId && !field.metadata.contains(PhysicalName)
    byName && (FooterColumn.supports(field.dataType) || FooterBytes.supports(field.dataType))
  }

  // With column mapping, Delta stores the column under another name in the file.
  private final val PhysicalName = "delta.columnMapping.physicalName"

  private final val FieldId = "parquet.field.id"

  /** Up to this number, keys held as bytes are tested one by one: that takes sorted copies. */
  private final val MostSorted = 10000

  private final class OfLongs(column: FooterColumn, keys: LongKeyFilter) extends FileTest {

    // Disjoint ranges that hold all keys, ascending: of an exact set, the keys themselves.
    private lazy val (lows, highs) = keys match {
      case exact: LongKeySet =>
        val sorted = exact.sorted
        (sorted, sorted)
      case _ =>
        val ranges = keys.ranges(KeyRanges.MaxRanges).toArray
        (ranges.map(_.low), ranges.map(_.high))
    }

    override def holds(footer: ParquetMetadata): Seq[Boolean] = column.ranges(footer).map { range =>
      if (range == FooterColumn.All) true
      else {
        val found = Arrays.binarySearch(highs, range.low)
        val next = if (found >= 0) found else -found - 1
        next < lows.length && lows(next) <= range.high
      }
    }
  }

  private final class OfBytes(column: FooterBytes, keys: BytesKeySet) extends FileTest {

    // Disjoint ranges that hold all keys, ascending: of few keys, the keys themselves.
    private lazy val ranges: Array[BytesRange] =
      if (keys.size > MostSorted) KeyRanges.ofBytes(keys).toArray
      else {
        val sorted = keys.keys.toArray
        Arrays.sort(sorted, (a: Array[Byte], b: Array[Byte]) => ByteArray.compareBinary(a, b))
        sorted.map(key => BytesRange(key, key))
      }

    override def holds(footer: ParquetMetadata): Seq[Boolean] = column.bounds(footer).map {
      case FooterBytes.Unknown => true
      case FooterBytes.NoValue => false
      case FooterBytes.Within(values) =>
        val next = firstNotBelow(values.low)
        next < ranges.length && ByteArray.compareBinary(ranges(next).low, values.high) <= 0
    }

    /** The number of the first range that does not end below `value`. */
    private def firstNotBelow(value: Array[Byte]): Int = {
      var first = 0
      var end = ranges.length
      while (first < end) {
        val middle = (first + end) >>> 1
        if (ByteArray.compareBinary(ranges(middle).high, value) < 0) first = middle + 1
        else end = middle
      }
      first
    }
  }
}
