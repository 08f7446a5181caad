// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.execution.datasources.{FileFormat, FileIndex}
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat

/**
 * The file formats to whose readers Sieve may push more filters. CSV and JSON are left out: for a
 * row that a filter drops they parse fewer columns, so pushing changes which rows count as
 * malformed. So are formats that merge files with change logs: the merge needs rows that the filter
 * would drop.
 */
private[sparksieve] object FileFormats {

  def isParquet(format: FileFormat): Boolean =
    format.getClass == classOf[ParquetFileFormat] || isDelta(format)

  /** Whether the table's log holds statistics besides those in the files. */
  def isLogged(format: FileFormat): Boolean = isDelta(format)

  def isOrc(format: FileFormat): Boolean = format.getClass == classOf[OrcFileFormat]

  // By name: Delta is not on Sieve's class path. Skipping rows is safe with deletion vectors: Delta
  // applies them by row number.
  private def isDelta(format: FileFormat) = format.isInstanceOf[ParquetFileFormat] &&
    format.getClass.getName == "org.apache.spark.sql.delta.DeltaParquetFileFormat"

  /**
   * The number of files that were planned before the keys were known, if `index` knows it. Delta's
   * index evaluates the filters that it lists files by against the statistics of its log, so its
   * list is already pruned by the keys and cannot be counted instead.
   */
  def filesPlanned(index: FileIndex): Option[Long] =
    if (index.getClass.getName == "org.apache.spark.sql.delta.stats.PreparedDeltaFileIndex")
      Some(index.inputFiles.length.toLong)
    else None
}
