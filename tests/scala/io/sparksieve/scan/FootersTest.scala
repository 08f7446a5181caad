// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.io.File

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.ParquetInputFormat
import org.apache.parquet.hadoop.metadata.ParquetMetadata

import org.apache.spark.sql.{DataFrame, Row}

import io.sparksieve.dynamicfilter.ScanTest
import io.sparksieve.keyset.KeyRange

/** Tables in Parquet files that are read with keys, whose footers are tested by the keys. */
trait FootersTest extends ScanTest {

  /**
   * Runs `body` with `df` in files; by default ten files of one row group of 100 rows, in the order
   * of id. Readers read a row group as a whole or not at all.
   */
  protected def withFiles(df: => DataFrame = spark.range(0, 1000, 1, 10).toDF())(
      body: File => Unit): Unit =
    withTempPath { dir =>
      df.write.parquet(dir.getPath)
      // Readers skip no pages then, and look up no values in dictionaries.
      withSQLConf(
        ParquetInputFormat.COLUMN_INDEX_FILTERING_ENABLED -> "false",
        ParquetInputFormat.DICTIONARY_FILTERING_ENABLED -> "false")(withFooters(body(dir)))
    }

  protected def parts(dir: File): Seq[File] =
    dir.listFiles.filter(_.getName.endsWith(".parquet")).sortBy(_.getName).toSeq

  /** The range of the column's values in each row group. */
  protected def ranges(dir: File, column: FooterColumn): Seq[KeyRange] =
    ofFooters(dir, threads = 1)(column.ranges).flatten.flatten

  /** What `use` makes of each file's footer. */
  protected def ofFooters[T](dir: File, threads: Int)(use: ParquetMetadata => T): Seq[Option[T]] = {
    val conf = spark.sessionState.newHadoopConf()
    val files = parts(dir).map(f => new Path(f.getPath))
    ParquetFooters.map(files.map(f => f.getFileSystem(conf).getFileStatus(f)), conf, threads)(use)
  }

  protected def isId(ids: Long*)(row: Row): Boolean = ids.contains(row.getLong(0))

  protected def read(dir: File): DataFrame = spark.read.parquet(dir.getPath)
}
