// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.table

import scala.util.Try

import org.apache.parquet.schema.MessageType

import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.datasources.parquet.SparkToParquetSchemaConverter
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.Filter

import io.sparksieve.advice.layout.TableLayout
import io.sparksieve.advice.workload.{ComparedColumns, ListTest, TableRef}
import io.sparksieve.compat.SparkCompat
import io.sparksieve.pushdown.DeltaTable

/**
 * A Delta table. Its log skips files by the minimum and maximum of columns, which are those of the
 * files' row groups; the reader skips row groups.
 *
 * @param detail
 *   the row of `DESCRIBE DETAIL`
 */
private[advice] final class AdvisedDelta(
    session: SparkSession,
    ref: TableRef,
    rows: LogicalPlan,
    relation: HadoopFsRelation,
    detail: Row)
    extends SparkFiles(session, rows, relation) {

  private var found: Option[TableLayout] = None

  override def layout(columns: ComparedColumns): (TableLayout, Seq[String]) = {
    val (layout, _, unread) = footers(columns, least = 0)
    found = Some(layout)
    (layout, AdvisedParquet.unread(unread))
  }

  override def used(filter: Filter): Option[Filter] =
    if (isOnPartitions(filter)) Some(filter)
    else filters.convertibleFilters(Seq(filter)).headOption

  private lazy val filters = AdvisedParquet.filters(written, conf)

  // Delta writes no INT96, whatever the session says.
  private def written: MessageType = {
    val changed = conf.clone()
    changed.setConfString(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key, "TIMESTAMP_MICROS")
    new SparkToParquetSchemaConverter(changed).convert(relation.dataSchema)
  }

  override def fileLists: ListTest = ListTest(0, ListTest.Bounds)

  override def skipsRowGroups: Boolean =
    conf.parquetFilterPushDown && DeltaTable.filters(relation.fileFormat)

  override def writer: LayoutWriter = {
    val indexed = AdvisedDelta
      .properties(detail)
      .get("delta.dataSkippingNumIndexedCols")
      .flatMap(n => Try(n.toInt).toOption)
      .getOrElse(AdvisedDelta.IndexedColumns)
    new DeltaWriter(
      ref.name.getOrElse(s"delta.`${ref.paths.headOption.getOrElse("")}`"),
      found.getOrElse(TableLayout(IndexedSeq.empty)),
      partitionColumns,
      schema.map(_.name).take(if (indexed < 0) Int.MaxValue else indexed),
      AdvisedDelta.mostFileBytes(session),
      AdvisedParquet.blockBytes(hadoop),
      AdvisedParquet.pageBytes(relation.dataSchema)
    )
  }
}

private[advice] object AdvisedDelta {

  final val MaxFileSize = "spark.databricks.delta.optimize.maxFileSize"

  private final val IndexedColumns = 32

  def of(session: SparkSession, ref: TableRef): Either[String, AdvisedTable] =
    AdvisedParquet.relation(session, ref).flatMap { case (rows, files) =>
      val name = ref.name.getOrElse(s"delta.`${ref.paths.head}`")
      val detail = SparkCompat
        .plan(session, SparkCompat.parser(session).parsePlan(s"DESCRIBE DETAIL $name"))
        .executedPlan
        .executeCollectPublic()
        .head
      def columns(of: String) = Try(detail.getAs[scala.collection.Seq[String]](of).toSeq)
      if (columns("clusteringColumns").getOrElse(Nil).nonEmpty)
        Left("The table has clustering columns: Delta arranges its files by them.")
      else if (properties(detail).get("delta.columnMapping.mode").exists(_ != "none"))
        Left("The table maps the names of columns, so that footers do not show which is which.")
      else Right(new AdvisedDelta(session, ref, rows, files, detail))
    }

  private def properties(detail: Row): scala.collection.Map[String, String] =
    Try(detail.getAs[scala.collection.Map[String, String]]("properties")).getOrElse(Map.empty)

  /** The size of files that OPTIMIZE writes. */
  private def mostFileBytes(session: SparkSession): Long =
    Try(session.conf.get(MaxFileSize).toLong).getOrElse(1L << 30)
}
