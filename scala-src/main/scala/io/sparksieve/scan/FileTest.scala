package io.sparksieve.scan

import java.util.Arrays

import org.apache.parquet.hadoop.metadata.ParquetMetadata

import io.sparksieve.keyset.{KeyRange, LongKeySet}

/**
 * Tests whether the row groups of a Parquet file can contain a key, by the minimum and maximum of a
 * column in the file's footer.
 */
private[sparksieve] final class FileTest(column: FooterColumn, keys: LongKeySet) {

  private lazy val sorted = keys.sorted

  /** For each row group, whether it can contain a key. */
  def holds(footer: ParquetMetadata): Seq[Boolean] = column.ranges(footer).map(holds)

  private def holds(range: KeyRange) =
    if (range == FooterColumn.All) true
    else {
      val found = Arrays.binarySearch(sorted, range.low)
      val next = if (found >= 0) found else -found - 1
      next < sorted.length && sorted(next) <= range.high
    }
}
