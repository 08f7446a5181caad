// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import java.util.Locale

import org.apache.hadoop.fs.FileStatus

import org.apache.spark.sql.SparkSession

import io.sparksieve.compat.SparkCompat

/** Determines the format of files by their names. */
private[bulkfilter] object FileFormatOf {

  private val Compressions = Set("gz", "bz2", "zst", "zstd", "lz4", "snappy", "deflate", "xz")

  private val Formats = Map(
    "parquet" -> "parquet",
    "orc" -> "orc",
    "avro" -> "avro",
    "csv" -> "csv",
    "json" -> "json",
    "jsonl" -> "json",
    "ndjson" -> "json",
    "txt" -> "text",
    "text" -> "text")

  def apply(files: Seq[FileStatus], session: SparkSession): String =
    files.iterator
      .map(_.getPath.getName.toLowerCase(Locale.ROOT).split('.').toSeq.drop(1).reverse)
      .map(_.dropWhile(Compressions))
      .flatMap(_.headOption)
      .flatMap(Formats.get)
      .toSeq
      .headOption
      .getOrElse(SparkCompat.conf(session).defaultDataSourceName)
}
