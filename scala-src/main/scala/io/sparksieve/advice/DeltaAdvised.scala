package io.sparksieve.advice

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.parquet.schema.MessageType

import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.datasources.parquet.SparkToParquetSchemaConverter
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.pushdown.DeltaTable

/**
 * A Delta table. Its log skips files by the minimum and maximum of columns, which are those of the
 * files' row groups; the reader skips row groups.
 *
 * @param detail
 *   the row of `DESCRIBE DETAIL`
 */
private[advice] final class DeltaAdvised(
    session: SparkSession,
    ref: TableRef,
    override val rows: LogicalPlan,
    relation: HadoopFsRelation,
    detail: Row)
    extends AdvisedTable {

  private val conf = SparkCompat.conf(session)

  private val hadoop: Configuration = SparkCompat.hadoopConf(session, relation.options)

  override val schema: StructType = rows.schema

  override val partitionColumns: Seq[String] = relation.partitionSchema.map(_.name)

  private var found: Option[TableLayout] = None

  override def layout(columns: ComparedColumns): (TableLayout, Seq[String]) = {
    val footers =
      new ParquetLayout(columns, relation.partitionSchema, _.name, conf.caseSensitiveAnalysis)
    val files = for {
      directory <- relation.location.listFiles(Nil, Nil)
      file <- directory.files
    } yield ParquetLayout.Listed(file.fileStatus, directory.values)
    val threads = SieveConf.dynamicFilterFooterThreads(conf)
    val (layout, _, unread) = footers.read(files, hadoop, threads)
    found = Some(layout)
    (layout, ParquetTable.unread(unread))
  }

  override def used(filter: Filter): Option[Filter] = {
    val onPartitions =
      filter.references.forall(c => partitionColumns.contains(ComparedColumns.unquoted(c)))
    if (onPartitions) Some(filter) else filters.convertibleFilters(Seq(filter)).headOption
  }

  private lazy val filters = ParquetTable.filters(written, conf)

  // Delta writes no INT96, whatever the session says.
  private def written: MessageType = {
    val changed = conf.clone()
    changed.setConfString(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key, "TIMESTAMP_MICROS")
    new SparkToParquetSchemaConverter(changed).convert(relation.dataSchema)
  }

  override def fileLists: ListTest = ListTest(0, ListTest.Bounds)

  override def rowGroupLists: ListTest =
    ListTest(conf.parquetFilterPushDownInFilterThreshold, ListTest.Bounds)

  override def skipsRowGroups: Boolean =
    conf.parquetFilterPushDown && DeltaTable.filters(relation.fileFormat)

  override def listed(read: TableRead): Option[Set[String]] =
    ParquetTable.listed(relation, read, partitionColumns)

  override def writer: LayoutWriter = {
    val properties = Try(detail.getAs[scala.collection.Map[String, String]]("properties")).toOption
    val indexed = properties
      .flatMap(_.get("delta.dataSkippingNumIndexedCols"))
      .flatMap(n => Try(n.toInt).toOption)
      .getOrElse(DeltaAdvised.IndexedColumns)
    new DeltaWriter(
      ref.name.getOrElse(s"delta.`${ref.paths.headOption.getOrElse("")}`"),
      found.getOrElse(TableLayout(IndexedSeq.empty)),
      partitionColumns,
      schema.map(_.name).take(if (indexed < 0) Int.MaxValue else indexed),
      DeltaAdvised.mostFileBytes(session),
      ParquetTable.blockBytes(hadoop),
      ParquetTable.pageBytes(relation.dataSchema)
    )
  }
}

private[advice] object DeltaAdvised {

  final val MaxFileSize = "spark.databricks.delta.optimize.maxFileSize"

  private final val IndexedColumns = 32

  def of(session: SparkSession, ref: TableRef): Either[String, AdvisedTable] =
    ParquetTable.relation(session, ref).flatMap { case (rows, files) =>
      val name = ref.name.getOrElse(s"delta.`${ref.paths.head}`")
      val detail = SparkCompat
        .plan(session, SparkCompat.parser(session).parsePlan(s"DESCRIBE DETAIL $name"))
        .executedPlan
        .executeCollectPublic()
        .head
      def columns(of: String) = Try(detail.getAs[scala.collection.Seq[String]](of).toSeq)
      val properties =
        Try(detail.getAs[scala.collection.Map[String, String]]("properties")).getOrElse(Map.empty)
      if (columns("clusteringColumns").getOrElse(Nil).nonEmpty)
        Left("The table has clustering columns: Delta arranges its files by them.")
      else if (properties.get("delta.columnMapping.mode").exists(_ != "none"))
        Left("The table maps the names of columns, so that footers do not show which is which.")
      else Right(new DeltaAdvised(session, ref, rows, files, detail))
    }

  /** The size of files that OPTIMIZE writes. */
  private def mostFileBytes(session: SparkSession): Long =
    Try(session.conf.get(MaxFileSize).toLong).getOrElse(1L << 30)
}
