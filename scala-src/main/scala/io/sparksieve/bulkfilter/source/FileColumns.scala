// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import java.util.Locale

import scala.util.control.NonFatal

import org.apache.hadoop.fs.FileStatus

import org.apache.spark.sql.{AnalysisException, DataFrame, SparkSession}
import org.apache.spark.sql.types.{StructType, _}

import io.sparksieve.common.LastUsed

/** Finds the columns of a file or folder with Spark's readers. */
private[bulkfilter] object FileColumns {

  def apply(
      session: SparkSession,
      function: String,
      path: String,
      options: KeyOptions): FoundColumns =
    try {
      val files = DataFiles.first(session, path, options.reader)
      if (files.isEmpty) KeyFileException.fail(function, s"$path does not exist.")
      val format = options.format.getOrElse(FileFormatOf(files, session))
      val columns = KnownColumns(session, path, format, options.reader, files) {
        read(session, path, format, options.reader, files)
      }
      val isText = TextFormats(format)
      // Atomic JSON values are read as text, then parsed as the key's type with its precision.
      val asText =
        if (format != "json") columns
        else
          StructType(
            columns.map(f => if (isAtomic(f.dataType)) f.copy(dataType = StringType) else f))
      FoundColumns(FilePlace(path, format, options.reader, asText), asText, isText)
    } catch {
      case e: KeyFileException => throw e
      case NonFatal(e) =>
        KeyFileException.fail(function, s"$path cannot be read: ${firstLine(e)}", e)
    }

  /** Opens a place with the format, options and schema that were found for it. */
  def open(session: SparkSession, place: FilePlace): DataFrame =
    session.read.format(place.format).options(place.options).schema(place.schema).load(place.path)

  private def read(
      session: SparkSession,
      path: String,
      format: String,
      options: Map[String, String],
      files: Seq[FileStatus]): StructType = {
    val quick =
      if (format == "parquet" && options.isEmpty) ParquetColumns(session, files) else None
    quick.getOrElse(
      session.read.format(format).options(typeless(format, options)).load(path).schema)
  }

  /** Drops `inferSchema` for CSV: columns are read as text, and inference reads the files again. */
  private def typeless(format: String, options: Map[String, String]) =
    if (format == "csv") options.filter { case (k, _) =>
      k.toLowerCase(Locale.ROOT) != "inferschema"
    }
    else options

  private def isAtomic(dataType: DataType) = dataType match {
    case _: StructType | _: ArrayType | _: MapType => false
    case _ => true
  }

  private def firstLine(e: Throwable) = e match {
    case a: AnalysisException => a.getSimpleMessage.linesIterator.next()
    case other => String.valueOf(other.getMessage).linesIterator.next()
  }

  private val TextFormats = Set("csv", "json", "text", "xml")
}

/**
 * A place and its columns.
 *
 * @param isText
 *   whether the place stores values of other types as strings, as CSV does
 */
private[bulkfilter] final case class FoundColumns(
    place: KeyPlace,
    columns: StructType,
    isText: Boolean)

/**
 * Caches the columns of files. However often queries name a file, its columns are read once, until
 * the file changes.
 */
private[bulkfilter] object KnownColumns {

  private val Max = 1000

  private final case class Key(
      path: String,
      format: String,
      options: Map[String, String],
      settings: String)

  /** @param state the digest of the files */
  private final case class Found(state: String, columns: StructType)

  private val known = new LastUsed[Key, Found](Max)

  private[bulkfilter] def size: Int = synchronized(known.size)

  def apply(
      session: SparkSession,
      path: String,
      format: String,
      options: Map[String, String],
      files: Seq[FileStatus])(read: => StructType): StructType = {
    val key = Key(path, format, options, ReadSettings(session))
    val state = FileStamp.digest(files.map(FileStamp(_)), "")
    val found = Option(synchronized(known.get(key))).filter(_.state == state).getOrElse {
      val made = Found(state, read)
      synchronized(known.put(key, made))
      made
    }
    found.columns
  }
}
