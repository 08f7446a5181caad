// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.table

import java.util.Locale

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import io.sparksieve.advice.layout.TableLayout
import io.sparksieve.advice.workload.{ComparedColumns, ListTest, TableRead, TableRef}
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf

/**
 * An Iceberg table. Its metadata skips files, and its reader row groups, by the minimum and maximum
 * of columns. The files are those of its metadata table `files`.
 *
 * @param files
 *   path, size and rows of each data file
 * @param notes
 *   what to say about the files
 */
private[advice] final class AdvisedIceberg(
    session: SparkSession,
    ref: TableRef,
    override val rows: LogicalPlan,
    properties: Map[String, String],
    override val partitionColumns: Seq[String],
    files: Seq[AdvisedIceberg.File],
    notes: Seq[String])
    extends AdvisedTable {

  private val conf = SparkCompat.conf(session)

  private val hadoop: Configuration = SparkCompat.hadoopConf(session, Map.empty)

  override val schema: StructType = rows.schema

  private var found: Option[TableLayout] = None

  override def layout(columns: ComparedColumns): (TableLayout, Seq[String]) = {
    // Partition columns are in the files too.
    val footers = new ParquetLayout(columns, new StructType, _.name, caseSensitive = true)
    val listed = files.map { file =>
      val status = new FileStatus(file.bytes, false, 1, 0L, 0L, new Path(file.path))
      ParquetLayout.Listed(status, InternalRow.empty)
    }
    val threads = SieveConf.dynamicFilterFooterThreads(conf)
    val (layout, _, unread) = footers.read(listed, hadoop, threads)
    found = Some(layout)
    (layout, notes ++ AdvisedParquet.unread(unread))
  }

  override def used(filter: Filter): Option[Filter] = Some(filter)

  private val lists = ListTest(AdvisedIceberg.LongestList, ListTest.Ignored)

  override def fileLists: ListTest = lists

  override def rowGroupLists: ListTest = lists

  override def listed(read: TableRead): Option[Set[String]] = None

  override def writer: LayoutWriter = {
    def bytes(key: String, default: Long) =
      properties.get(key).flatMap(v => Try(v.toLong).toOption).getOrElse(default)
    new IcebergWriter(
      ref.parts,
      schema,
      found.getOrElse(TableLayout(IndexedSeq.empty)),
      partitionColumns,
      bytes("write.target-file-size-bytes", 512L << 20),
      bytes("write.parquet.row-group-size-bytes", 128L << 20),
      AdvisedParquet.pageBytes(schema)
    )
  }
}

private[advice] object AdvisedIceberg {

  final case class File(path: String, bytes: Long)

  /** Iceberg's evaluators skip nothing by a longer list. */
  private final val LongestList = 200

  def of(session: SparkSession, ref: TableRef): Either[String, AdvisedTable] = {
    val name = ref.text
    val leaf = session.table(name).queryExecution.analyzed.collectLeaves().collectFirst {
      case r: DataSourceV2Relation => r
    }
    leaf.fold[Either[String, AdvisedTable]](Left("It is not read as an Iceberg table.")) { table =>
      val listed = collect(session, s"SELECT * FROM $name.files")
      val fields = listed.headOption.toSeq.flatMap { row =>
        if (row.schema.fieldNames.contains("partition"))
          row.schema("partition").dataType.asInstanceOf[StructType].fieldNames.toSeq
        else Nil
      }
      val data = listed.filter(_.getAs[Int]("content") == 0)
      val transformed = fields.filterNot(table.output.map(_.name).contains)
      val formats = data.map(_.getAs[String]("file_format").toUpperCase(Locale.ROOT))
      val notes =
        if (data.size == listed.size) Nil
        else Seq("The table has files of deletes, which a rewrite applies.")
      if (formats.exists(_ != "PARQUET"))
        Left(s"Its files have the format ${formats.find(_ != "PARQUET").get}, not Parquet.")
      else if (transformed.nonEmpty)
        Left(
          s"It is partitioned by a function of a column (${transformed.mkString(", ")}), and a " +
            "rewrite within such partitions is not predicted.")
      else {
        val files =
          data.map(r => File(r.getAs[String]("file_path"), r.getAs[Long]("file_size_in_bytes")))
        val properties = table.table.properties.asScala
        Right(new AdvisedIceberg(session, ref, table, properties.toMap, fields, files, notes))
      }
    }
  }

  // Not through a Dataset, whose listeners would note the query as one of the user's.
  private def collect(session: SparkSession, sql: String): Seq[Row] = SparkCompat
    .plan(session, SparkCompat.parser(session).parsePlan(sql))
    .executedPlan
    .executeCollectPublic()
    .toSeq
}
