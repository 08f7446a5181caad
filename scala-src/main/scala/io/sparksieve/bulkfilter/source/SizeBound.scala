// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import java.util.Locale

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.parquet.hadoop.metadata.ParquetMetadata

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.types._

import io.sparksieve.compat.SparkCompat
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.longs.LongKeyType
import io.sparksieve.scan.ParquetFooters

/**
 * The most bytes that building the set of a source takes, derived from the sizes of its files and
 * from Parquet footers; None if these give no bound, as for compressed text.
 */
private[bulkfilter] object SizeBound {

  def apply(session: SparkSession, source: KeySource, files: Option[Seq[FileStamp]]): Option[Long] =
    (source.place, files) match {
      case _ if source.columns.exists(_.padTo.nonEmpty) => None
      case (place: FilePlace, Some(stamps)) =>
        place.format match {
          case "csv" | "text" | "json" => ofText(place, source, stamps)
          case "parquet" if stamps.size <= MostFooters => ofParquet(session, place, source, stamps)
          case _ => None
        }
      case _ => None
    }

  private def ofText(place: FilePlace, source: KeySource, files: Seq[FileStamp]): Option[Long] = {
    val recoded = place.options.keys.exists(k => Recoding(k.toLowerCase(Locale.ROOT)))
    if (recoded || files.exists(f => isCompressed(f.path))) None
    else {
      val bytes = files.map(_.bytes).sum
      // A row takes at least two bytes, a value and a line end, which a file's last line may lack.
      Some(taken(source, bytes / 2 + files.size, bytes))
    }
  }

  private def isCompressed(path: String) =
    Compressed.exists(path.toLowerCase(Locale.ROOT).endsWith(_))

  private def ofParquet(
      session: SparkSession,
      place: FilePlace,
      source: KeySource,
      files: Seq[FileStamp]): Option[Long] = {
    val conf = SparkCompat.hadoopConf(session, place.options)
    val found =
      ParquetFooters.map(files.map(status), conf, Threads)(footer => counts(footer, source))
    if (found.exists(_.isEmpty)) None
    else {
      val (rows, bytes) = found.flatten.unzip
      if (bytes.exists(_.isEmpty)) None
      else Some(taken(source, rows.sum, bytes.flatten.sum))
    }
  }

  private def status(f: FileStamp) =
    new FileStatus(f.bytes, false, 1, f.bytes, f.modified, new Path(f.path))

  /** Rows, and bytes of the only column if it has values of variable length; None if unknown. */
  private def counts(footer: ParquetMetadata, source: KeySource): (Long, Option[Long]) = {
    val blocks = footer.getBlocks.asScala.toSeq
    val rows = blocks.map(_.getRowCount).sum
    val bytes = source.columns.filter(c => isVariable(c.keyType)) match {
      case Seq() => Some(0L)
      case Seq(one) if source.columns.size == 1 =>
        val chunks = blocks.flatMap(_.getColumns.asScala).filter { c =>
          c.getPath.size == 1 && c.getPath.toArray.head.equalsIgnoreCase(one.name)
        }
        val plain =
          chunks.nonEmpty && chunks.forall(_.getEncodings.asScala.forall(e => Plain(e.name)))
        if (plain || rows == 0) Some(chunks.map(_.getTotalUncompressedSize).sum) else None
      case _ => None
    }
    (rows, bytes)
  }

  /** Memory for the keys in bytes, as documented by [[io.sparksieve.keyset.KeySetBuilder]]. */
  private def taken(source: KeySource, rows: Long, bytes: Long): Long =
    source.keyTypes.map(KeyTypes.of(_).get) match {
      case Seq(_: LongKeyType) => First + rows * 40
      case Seq(_) =>
        First + rows * 48 + 3 * bytes + (if (isVariable(source.keyTypes.head)) 0 else 48 * rows)
      case several => First + rows * (48 + 3L * 32 * several.size) + 3 * bytes
    }

  private def isVariable(dataType: DataType) = dataType match {
    case _: StringType | BinaryType => true
    case _ => false
  }

  private val First = 4096L
  private val MostFooters = 16
  private val Threads = 8
  private val Recoding = Set("encoding", "charset")
  private val Compressed =
    Seq(".gz", ".bz2", ".zst", ".zstd", ".lz4", ".snappy", ".deflate", ".xz")

  /** Encodings with which the file contains each distinct value in full. */
  private val Plain = Set("PLAIN", "RLE", "BIT_PACKED", "PLAIN_DICTIONARY", "RLE_DICTIONARY")
}
