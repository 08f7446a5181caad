package io.sparksieve.bulkfilter

import java.util.Locale

import scala.util.control.NonFatal

import org.apache.hadoop.fs.FileStatus

import org.apache.spark.sql.{AnalysisException, DataFrame, SparkSession}
import org.apache.spark.sql.types._

/** Finds out what columns a file or folder has, by Spark's readers. */
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
      // What is read as text is parsed as the key's type, with the key's precision.
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

  /** The rows of a place that was found. */
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

  /** Types are not wanted of what is read as text: to infer them is to read it once more. */
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
