// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import scala.util.control.NonFatal

import org.apache.hadoop.fs.FileStatus
import org.apache.parquet.schema.MessageType

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.datasources.csv.CSVFileFormat
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet._
import org.apache.spark.sql.execution.datasources.text.TextFileFormat
import org.apache.spark.sql.execution.datasources.v2.FileScan
import org.apache.spark.sql.execution.datasources.v2.csv.CSVScan
import org.apache.spark.sql.execution.datasources.v2.json.JsonScan
import org.apache.spark.sql.execution.datasources.v2.orc.OrcScan
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetScan
import org.apache.spark.sql.execution.datasources.v2.text.TextScan
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.Translation
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import io.sparksieve.compat.SparkCompat
import io.sparksieve.report.core.ScanNames
import io.sparksieve.scan.ParquetFooters

/** Builds the [[FileSource]] of a file scan, for DSv1 and DSv2. */
private[pushdown] final class FileSources(session: SparkSession) {

  private val conf = SparkCompat.conf(session)

  def apply(scan: FileSourceScanExec): Source = {
    val relation = scan.relation
    val bucket = scan.optionalBucketSet.flatMap(_ => relation.bucketSpec)
    new FileSource(
      FileSources.nameOf(relation),
      ScanNames(scan),
      scan.partitionFilters,
      scan.dataFilters,
      relation.partitionSchema.map(_.name).toSet,
      Translation.nested(relation),
      bucket.flatMap(_.bucketColumnNames.headOption),
      DeltaTable.skips(relation.location, _),
      reader(scan)
    )
  }

  private def reader(scan: FileSourceScanExec): FileReader = {
    val relation = scan.relation
    relation.fileFormat match {
      case delta if DeltaTable.isFormat(delta) && !DeltaTable.filters(delta) => RowNumbersReader
      case delta if DeltaTable.isFormat(delta) =>
        // Delta's files may have other column names than the table, so no footer is read. Delta
        // writes no INT96.
        parquet(relation.dataSchema, Some(micros(relation.dataSchema)), !scan.supportsColumnar)
      case _: ParquetFileFormat =>
        parquet(
          relation.dataSchema,
          schemaOfFile(relation.location, relation.options),
          !scan.supportsColumnar)
      case _: OrcFileFormat => new OrcReader(relation.dataSchema, conf)
      case _: CSVFileFormat => csv(relation.options)
      case _: JsonFileFormat => json(relation.options)
      case _: TextFileFormat => HeedlessReader
      case _ => UnknownReader
    }
  }

  /** @param table the table of the scan, as the user names it */
  def apply(scan: FileScan, table: String): Source = {
    val (name, nested, reader) = scan match {
      case s: ParquetScan =>
        val whole = parquet(
          s.dataSchema,
          schemaOfFile(s.fileIndex, Map.empty),
          !s.createReaderFactory().supportColumnarReads(null))
        val table = parquet(s.dataSchema, Some(written(s.dataSchema)), byRow = false)
        ("parquet", true, FileSources.after(s.pushedFilters, table, whole))
      case s: OrcScan => ("orc", true, new OrcReader(s.dataSchema, conf))
      case s: CSVScan => ("csv", false, csv(FileSources.map(s.options)))
      case s: JsonScan => ("json", false, json(FileSources.map(s.options)))
      case _: TextScan => ("text", false, HeedlessReader)
      case other => (other.getClass.getSimpleName, true, UnknownReader)
    }
    new FileSource(
      name,
      table,
      scan.partitionFilters,
      scan.dataFilters,
      scan.fileIndex.partitionSchema.map(_.name).toSet,
      nested,
      None,
      _ => false,
      reader)
  }

  private def parquet(schema: StructType, file: Option[MessageType], byRow: Boolean) =
    new ParquetReader(written(schema), file, byRow && conf.parquetRecordFilterEnabled, conf)

  private def written(schema: StructType) = new SparkToParquetSchemaConverter(conf).convert(schema)

  private def micros(schema: StructType) = {
    val changed = conf.clone()
    changed.setConfString(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key, "TIMESTAMP_MICROS")
    new SparkToParquetSchemaConverter(changed).convert(schema)
  }

  private def csv(options: Map[String, String]) = new ParsingReader(
    SQLConf.CSV_FILTER_PUSHDOWN_ENABLED.key -> conf.csvFilterPushDown,
    corrupt(options))

  private def json(options: Map[String, String]) = new ParsingReader(
    SQLConf.JSON_FILTER_PUSHDOWN_ENABLED.key -> conf.jsonFilterPushDown,
    corrupt(options))

  private def corrupt(options: Map[String, String]) = options
    .collectFirst {
      case (key, column) if key.equalsIgnoreCase("columnNameOfCorruptRecord") => column
    }
    .orElse(Some(conf.columnNameOfCorruptRecord))

  /**
   * The Parquet schema of one non-empty file, if the files are already listed; all files have this
   * schema, or nearly so. None if no schema can be read.
   */
  private def schemaOfFile(
      location: FileIndex,
      options: Map[String, String]): Option[MessageType] = {
    val files: Iterable[FileStatus] = location match {
      case listed: PartitioningAwareFileIndex => listed.allFiles()
      case _ => Nil
    }
    val one = files.find(_.getLen > 0).toSeq
    try {
      val hadoop = SparkCompat.hadoopConf(session, options)
      ParquetFooters.map(one, hadoop, threads = 1)(_.getFileMetaData.getSchema).headOption.flatten
    } catch { case NonFatal(_) => None }
  }
}

private[pushdown] object FileSources {

  private def nameOf(relation: HadoopFsRelation) =
    if (DeltaTable.isFormat(relation.fileFormat)) "delta" else relation.toString

  private def map(options: org.apache.spark.sql.util.CaseInsensitiveStringMap) = {
    val entries = options.entrySet().toArray(Array.empty[java.util.Map.Entry[String, String]])
    entries.map(e => e.getKey -> e.getValue).toMap
  }

  /**
   * DSv2's scan builder rejects some filters by the types of the table, before any file is known.
   * `builder` explains those, and `files` explains the filters that it has `taken`.
   */
  private def after(taken: Array[Filter], builder: FileReader, files: FileReader): FileReader =
    (filter, predicate) => (if (taken.contains(filter)) files else builder) (filter, predicate)
}
