// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import scala.util.control.NonFatal

import org.apache.hadoop.fs.FileStatus
import org.apache.parquet.hadoop.Footer

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.datasources.parquet.{
  ParquetFileFormat,
  ParquetToSparkSchemaConverter
}
import org.apache.spark.sql.types.StructType

import io.sparksieve.compat.SparkCompat
import io.sparksieve.scan.ParquetFooters

/** Reads the columns of Parquet files from the footer of one file. Spark would run a job for it. */
private[bulkfilter] object ParquetColumns {

  /**
   * None if Spark would look further, at the footers of several files or at the names of folders,
   * or if the first footer cannot be read.
   */
  def apply(session: SparkSession, files: Seq[FileStatus]): Option[StructType] = {
    val conf = SparkCompat.conf(session)
    if (conf.isParquetSchemaMergingEnabled || files.exists(isPartition)) None
    else
      files.headOption.filter(_.isFile).flatMap { file =>
        val converter = new ParquetToSparkSchemaConverter(conf)
        ParquetFooters
          .map(Seq(file), SparkCompat.hadoopConf(session, Map.empty), threads = 1) { footer =>
            try
              Some(
                ParquetFileFormat.readSchemaFromFooter(new Footer(file.getPath, footer), converter))
            catch { case NonFatal(_) => None }
          }
          .head
          .flatten
          .map(s => StructType(s.map(_.copy(nullable = true))))
      }
  }

  private def isPartition(file: FileStatus) = file.getPath.getParent.getName.contains("=")
}
