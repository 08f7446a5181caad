package io.sparksieve.bulkfilter

import scala.util.control.NonFatal

import org.apache.hadoop.fs.FileStatus
import org.apache.parquet.hadoop.Footer

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.datasources.parquet.{
  ParquetFileFormat,
  ParquetToSparkSchemaConverter
}
import org.apache.spark.sql.types.StructType

import io.sparksieve.SparkCompat
import io.sparksieve.dynamicfilter.ParquetFooters

/** The columns of Parquet files by the footer of one, for which Spark would run a job. */
private[bulkfilter] object ParquetColumns {

  /** None where Spark would look further: at several files, or at the names of folders. */
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
