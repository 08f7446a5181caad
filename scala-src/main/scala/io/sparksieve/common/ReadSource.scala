// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import scala.jdk.CollectionConverters._

import org.apache.orc.OrcConf

import org.apache.spark.sql.catalyst.FileSourceOptions
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  FileSourceMetadataAttribute
}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.datasources.csv.CSVFileFormat
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.{ParquetFileFormat, ParquetUtils}
import org.apache.spark.sql.execution.datasources.text.TextFileFormat
import org.apache.spark.sql.execution.datasources.v2.{DataSourceV2Relation, FileTable}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Implicits._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.internal.connector.SupportsPushDownCatalystFilters
import org.apache.spark.sql.types.StructType

/**
 * Classifies the source that a leaf of a plan reads, under the session's configs. The configs that
 * switch push-down off do not count: a scan looks at them when it runs, and by then they may be on.
 */
private[sparksieve] object ReadSource {

  /** The source of the leaf's columns in general. */
  def of(leaf: LogicalPlan): ExactSource = leaf match {
    case _: LocalRelation | _: Range | _: OneRowRelation | _: LogicalRDD => ExactSource.Evaluates
    case _: InMemoryRelation => ExactSource.Cached
    case r: LogicalRelation =>
      r.relation match {
        case fs: HadoopFsRelation =>
          val confs = ReaderConfs.of(fs, SQLConf.get)
          files(fs.fileFormat.getClass, fs.dataSchema, fs.options, confs)
        case _ => ExactSource.Unknown
      }
    // Spark pushes no filter on file columns to Hive's readers.
    case _: HiveTableRelation => ExactSource.Evaluates
    case r: DataSourceV2Relation => table(r)
    case _ => ExactSource.Unknown
  }

  /** The source of one of the leaf's columns. */
  def of(leaf: LogicalPlan, column: Attribute): ExactSource = leaf match {
    case _ if isFileMetadata(column) => ExactSource.Evaluates
    case r: LogicalRelation =>
      r.relation match {
        case fs: HadoopFsRelation if has(fs.partitionSchema, column) => partitions(fs.location)
        // Buckets are pruned by hashes. Equal values of the types of Cached have equal hashes.
        case fs: HadoopFsRelation
            if fs.bucketSpec.exists(_.bucketColumnNames.contains(column.name)) =>
          val source = of(leaf)
          if (source == ExactSource.Evaluates) ExactSource.Cached else source
        case _ => of(leaf)
      }
    case r: DataSourceV2Relation =>
      r.table match {
        case f: FileTable if has(f.fileIndex.partitionSchema, column) => ExactSource.Evaluates
        case _ => of(leaf)
      }
    case h: HiveTableRelation if h.partitionCols.exists(_.exprId == column.exprId) =>
      ExactSource.Everywhere
    case _ => of(leaf)
  }

  /** Whether the column describes a file and not its rows, for example the name of the file. */
  def isFileMetadata(column: Attribute): Boolean = column match {
    case a: AttributeReference => FileSourceMetadataAttribute.unapply(a).nonEmpty
    case _ => false
  }

  private def has(schema: StructType, column: Attribute) = schema.fieldNames.contains(column.name)

  /** Spark itself evaluates conditions on directory values, unless a metastore does. */
  private def partitions(location: FileIndex): ExactSource = location match {
    case _: PartitioningAwareFileIndex => ExactSource.Evaluates
    case _: CatalogFileIndex
        if SQLConf.get.getConfString("spark.sql.catalogImplementation", "hive") == "in-memory" =>
      ExactSource.Evaluates
    case _ => ExactSource.Everywhere
  }

  /** Whether Spark ignores corrupt files: it reads them as far as it can. */
  def ignoresCorrupt(options: Map[String, String], conf: SQLConf): Boolean =
    CaseInsensitiveMap(options)
      .get(FileSourceOptions.IGNORE_CORRUPT_FILES)
      .map(_.toBoolean)
      .getOrElse(conf.ignoreCorruptFiles)

  /** Whether Spark matches Parquet's columns by field id. Statistics are still matched by name. */
  def findsById(columns: StructType, conf: SQLConf): Boolean =
    conf.parquetFieldIdReadEnabled && ParquetUtils.hasFieldIds(columns)

  /** ORC's own setting, which a reader's options, the session or Hadoop may have. */
  val PositionalOrc: String = OrcConf.FORCE_POSITIONAL_EVOLUTION.getAttribute

  /** Whether ORC's columns are matched by position. Filters are still matched by name. */
  def findsByPlace(options: Map[String, String], conf: SQLConf): Boolean =
    ReaderSetting(PositionalOrc, options, conf).exists(_.equalsIgnoreCase("true"))

  private def pushesAggregates(conf: SQLConf) =
    conf.parquetAggregatePushDown || conf.orcAggregatePushDown

  private def files(
      format: Class[_],
      columns: StructType,
      options: => Map[String, String],
      confs: Seq[SQLConf]): ExactSource = {
    if (format == classOf[ParquetFileFormat])
      if (ParquetUtils.hasFieldIds(columns)) ExactSource.Unknown else ExactSource.Parquet
    else if (format == classOf[OrcFileFormat])
      if (confs.exists(findsByPlace(options, _))) ExactSource.Unknown else ExactSource.Orc
    else if (format == classOf[CSVFileFormat]) ExactSource.Csv
    else if (format == classOf[JsonFileFormat]) ExactSource.Json
    else if (format == classOf[TextFileFormat]) ExactSource.Evaluates
    // Delta skips files by the bounds in its log.
    else if (format.getName.startsWith("org.apache.spark.sql.delta.")) ExactSource.Parquet
    else ExactSource.Unknown
  }

  private def table(r: DataSourceV2Relation): ExactSource = r.table match {
    case f: FileTable =>
      val confs = ReaderConfs.of(f, SQLConf.get)
      // Aggregate pushdown: the bounds of a row group need not be its exact minimum and maximum.
      if (confs.exists(pushesAggregates)) ExactSource.Unknown
      else
        files(f.fallbackFileFormat, f.schema, r.options.asCaseSensitiveMap.asScala.toMap, confs)
    case _: UnchangingTable => ExactSource.Everywhere
    case t if t.getClass.getName.startsWith("org.apache.iceberg.spark.") => ExactSource.Everywhere
    case _ =>
      r.table.asReadable.newScanBuilder(r.options) match {
        case _: SupportsPushDownFilters | _: SupportsPushDownV2Filters => ExactSource.Unknown
        case _: SupportsPushDownCatalystFilters | _: SupportsPushDownAggregates =>
          ExactSource.Unknown
        case _ => ExactSource.Evaluates
      }
  }
}

/** A DSv2 table that equals another only if both return the same rows at every read. */
private[sparksieve] trait UnchangingTable
