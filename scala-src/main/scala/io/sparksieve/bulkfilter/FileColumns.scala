package io.sparksieve.bulkfilter

import java.util.Locale

import scala.util.control.NonFatal

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}

import org.apache.spark.sql.{AnalysisException, DataFrame, SparkSession}
import org.apache.spark.sql.types._

import io.sparksieve.SparkCompat

/** Finds out what columns a file or folder has, by Spark's readers. */
private[bulkfilter] object FileColumns {

  def apply(
      session: SparkSession,
      function: String,
      path: String,
      options: KeyOptions): FoundColumns =
    try {
      val files = DataFiles(session, path, options.reader)
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

/** The files that a path stands for, without those that Spark's readers leave out. */
private[bulkfilter] object DataFiles {

  /** Those of the first folder that has some; none if the path does not exist. */
  def apply(session: SparkSession, path: String, options: Map[String, String]): Seq[FileStatus] = {
    val root = new Path(path)
    val fs = root.getFileSystem(SparkCompat.hadoopConf(session, options))
    val roots = fs.globStatus(fs.makeQualified(root))
    if (roots == null) Nil
    else if (roots.exists(_.isFile)) roots.toSeq.filter(_.isFile)
    else roots.toSeq.map(r => below(fs, r.getPath)).find(_.nonEmpty).getOrElse(roots.toSeq)
  }

  private def below(fs: FileSystem, folder: Path): Seq[FileStatus] = {
    val (files, folders) = fs
      .listStatus(folder)
      .toSeq
      .filterNot(s => isHidden(s.getPath.getName))
      .sortBy(_.getPath.getName)
      .partition(_.isFile)
    if (files.nonEmpty) files
    else folders.iterator.map(f => below(fs, f.getPath)).find(_.nonEmpty).getOrElse(Nil)
  }

  private def isHidden(name: String) =
    (name.startsWith("_") && !name.contains("=")) || name.startsWith(".")
}

/** The format of files by their names. */
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
