// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.table

import org.apache.hadoop.conf.Configuration
import org.apache.parquet.schema.MessageType

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import io.sparksieve.advice.layout.TableLayout
import io.sparksieve.advice.workload.{ComparedColumns, ListTest, TableRead}
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf

/** A table of Parquet files that Spark lists and reads, with or without a log of the table. */
private[advice] abstract class SparkFiles(
    session: SparkSession,
    override val rows: LogicalPlan,
    relation: HadoopFsRelation)
    extends AdvisedTable {

  protected val conf: SQLConf = SparkCompat.conf(session)

  protected val hadoop: Configuration = SparkCompat.hadoopConf(session, relation.options)

  override val schema: StructType = rows.schema

  override val partitionColumns: Seq[String] = relation.partitionSchema.map(_.name)

  /**
   * Reads the footers of the files.
   *
   * @param least
   *   the size in bytes below which a file has no footer
   * @return
   *   the layout, the schema of a file, and the number of files that cannot be read
   */
  protected def footers(
      columns: ComparedColumns,
      least: Long): (TableLayout, Option[MessageType], Int) = {
    val layout =
      new ParquetLayout(columns, relation.partitionSchema, _.name, conf.caseSensitiveAnalysis)
    val files = for {
      directory <- relation.location.listFiles(Nil, Nil)
      file <- directory.files
      if file.fileStatus.getLen >= least
    } yield ParquetLayout.Listed(file.fileStatus, directory.values)
    layout.read(files, hadoop, SieveConf.dynamicFilterFooterThreads(conf))
  }

  protected def isOnPartitions(filter: Filter): Boolean =
    filter.references.forall(c => partitionColumns.contains(ComparedColumns.unquoted(c)))

  override def rowGroupLists: ListTest =
    ListTest(conf.parquetFilterPushDownInFilterThreshold, ListTest.Bounds)

  override def listed(read: TableRead): Option[Set[String]] =
    AdvisedParquet.listed(relation, read, partitionColumns)
}
