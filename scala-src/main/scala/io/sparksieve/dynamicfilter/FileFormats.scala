package io.sparksieve.dynamicfilter

import org.apache.spark.sql.execution.datasources.{FileFormat, FileIndex}
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat

/**
 * The file formats whose readers may be given more filters. Others are not: CSV and JSON parse
 * fewer columns of rows that a filter drops, and so take malformed rows for others; and a format
 * that merges files with logs of changes needs rows that the filter does not.
 */
private[dynamicfilter] object FileFormats {

  def isParquet(format: FileFormat): Boolean =
    format.getClass == classOf[ParquetFileFormat] || isDelta(format)

  /** Whether a table's log has statistics of its own. */
  def isLogged(format: FileFormat): Boolean = isDelta(format)

  def isOrc(format: FileFormat): Boolean = format.getClass == classOf[OrcFileFormat]

  // By name: Delta is not on Sieve's class path. Its deletion vectors are applied by row number.
  private def isDelta(format: FileFormat) = format.isInstanceOf[ParquetFileFormat] &&
    format.getClass.getName == "org.apache.spark.sql.delta.DeltaParquetFileFormat"

  /**
   * How many files were planned to be read before there were keys, if `index` knows. Delta's looks
   * up the statistics of its log again for the filters that it lists by, so its list is short
   * already.
   */
  def filesPlanned(index: FileIndex): Option[Long] =
    if (index.getClass.getName == "org.apache.spark.sql.delta.stats.PreparedDeltaFileIndex")
      Some(index.inputFiles.length.toLong)
    else None
}
