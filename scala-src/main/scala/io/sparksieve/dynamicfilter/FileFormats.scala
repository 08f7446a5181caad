package io.sparksieve.dynamicfilter

import org.apache.spark.sql.execution.datasources.FileFormat
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

  def isOrc(format: FileFormat): Boolean = format.getClass == classOf[OrcFileFormat]

  // By name: Delta is not on Sieve's class path. Its deletion vectors are applied by row number.
  private def isDelta(format: FileFormat) = format.isInstanceOf[ParquetFileFormat] &&
    format.getClass.getName == "org.apache.spark.sql.delta.DeltaParquetFileFormat"
}
