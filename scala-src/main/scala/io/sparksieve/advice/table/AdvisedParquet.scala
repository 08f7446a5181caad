// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.table

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.parquet.column.ParquetProperties
import org.apache.parquet.hadoop.ParquetOutputFormat
import org.apache.parquet.schema.MessageType

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{
  DataSourceUtils,
  HadoopFsRelation,
  LogicalRelation
}
import org.apache.spark.sql.execution.datasources.parquet.{
  ParquetFilters,
  SparkToParquetSchemaConverter
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import io.sparksieve.advice.layout.TableLayout
import io.sparksieve.advice.workload.{ComparedColumns, ListTest, TableRead, TableRef}

/** Parquet files in directories, read by Spark's own reader. */
private[advice] final class AdvisedParquet(
    session: SparkSession,
    ref: TableRef,
    rows: LogicalPlan,
    relation: HadoopFsRelation)
    extends SparkFiles(session, rows, relation) {

  private var found: Option[(TableLayout, MessageType)] = None

  override def layout(columns: ComparedColumns): (TableLayout, Seq[String]) = {
    val (layout, schema, unread) = footers(columns, least = 1)
    found = Some((layout, schema.getOrElse(written)))
    (layout, AdvisedParquet.unread(unread))
  }

  private def written = new SparkToParquetSchemaConverter(conf).convert(relation.dataSchema)

  override def used(filter: Filter): Option[Filter] =
    if (isOnPartitions(filter)) Some(filter)
    else if (!conf.parquetFilterPushDown) None
    else filters.convertibleFilters(Seq(filter)).headOption

  private lazy val filters = AdvisedParquet.filters(found.map(_._2).getOrElse(written), conf)

  override def fileLists: ListTest = rowGroupLists

  override def writer: LayoutWriter = new ParquetWriter(
    ref,
    found.map(_._1).getOrElse(TableLayout(IndexedSeq.empty)),
    partitionColumns,
    AdvisedParquet.blockBytes(hadoop),
    AdvisedParquet.pageBytes(relation.dataSchema)
  )
}

private[advice] object AdvisedParquet {

  /** The filters that the reader takes for files with this schema. */
  def filters(schema: MessageType, conf: SQLConf): ParquetFilters = new ParquetFilters(
    schema,
    conf.parquetFilterPushDownDate,
    conf.parquetFilterPushDownTimestamp,
    conf.parquetFilterPushDownDecimal,
    conf.parquetFilterPushDownStringPredicate,
    conf.parquetFilterPushDownInFilterThreshold,
    conf.caseSensitiveAnalysis,
    DataSourceUtils.datetimeRebaseSpec(_ => null, "CORRECTED")
  )

  /** The size of row groups that Parquet's configuration gives. */
  def blockBytes(hadoop: Configuration): Long =
    Try(ParquetOutputFormat.getLongBlockSize(hadoop)).getOrElse(128L << 20)

  /** The size of the unfinished pages of a row group: on average, half of a page each. */
  def pageBytes(schema: StructType): Long = schema.map { field =>
    val rows = ParquetWriter.RowsPerPage / 2
    math.min(field.dataType.defaultSize.toLong * rows, ParquetProperties.DEFAULT_PAGE_SIZE / 2L)
  }.sum

  def of(session: SparkSession, ref: TableRef): Either[String, AdvisedTable] =
    relation(session, ref).flatMap { case (rows, files) =>
      if (files.bucketSpec.nonEmpty)
        Left("The table is bucketed, and a rewrite would have to keep its buckets.")
      else Right(new AdvisedParquet(session, ref, rows, files))
    }

  /** The files behind a name or a path; Left with the reason if there are none. */
  def relation(
      session: SparkSession,
      ref: TableRef): Either[String, (LogicalPlan, HadoopFsRelation)] = {
    val frame = ref.name match {
      case Some(name) => session.table(name)
      case None =>
        val reader = session.read.format(ref.format).options(ref.options - "path" - "paths")
        reader.load(ref.paths: _*)
    }
    val leaves = frame.queryExecution.analyzed.collectLeaves()
    leaves
      .collectFirst { case l: LogicalRelation => l.relation -> l }
      .collect { case (files: HadoopFsRelation, leaf) => Right((leaf, files)) }
      .getOrElse(Left("It is not read as files."))
  }

  /** The files that Spark lists for the read, by directories and by the log of the table. */
  def listed(
      relation: HadoopFsRelation,
      read: TableRead,
      partitionColumns: Seq[String]): Option[Set[String]] = Try[Set[String]] {
    val columns = partitionColumns.toSet
    val (ofPartitions, ofData) = read.predicates.partition { p =>
      p.references.nonEmpty && p.references.forall(a => columns(a.name))
    }
    val paths = for {
      directory <- relation.location.listFiles(ofPartitions, ofData)
      file <- directory.files
    } yield file.fileStatus.getPath.toString
    paths.toSet
  }.toOption

  def unread(files: Int): Seq[String] =
    if (files == 0) Nil
    else Seq(s"The footers of $files files cannot be read; the advice leaves these files out.")
}
