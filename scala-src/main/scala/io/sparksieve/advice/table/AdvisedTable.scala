// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.table

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import io.sparksieve.advice.layout.{Layout, Sample, Statement, TableLayout}
import io.sparksieve.advice.workload.{ComparedColumns, ListTest, TableRead, TableRef}

/** A table in a format whose skipping is understood, as far as advice needs it. */
private[advice] trait AdvisedTable {

  def schema: StructType

  /** The columns that are not arranged, because the table's directories have their values. */
  def partitionColumns: Seq[String]

  /** A plan that reads the table. */
  def rows: LogicalPlan

  /**
   * Reads the layout from footers and metadata.
   *
   * @return
   *   the layout, and what to say about it
   */
  def layout(columns: ComparedColumns): (TableLayout, Seq[String])

  /**
   * The filters that a read's predicates become, without those that the source does not use.
   * Called after [[layout]].
   */
  def used(filter: Filter): Option[Filter]

  /** How lists are tested: by the metadata of the table, and by the statistics of row groups. */
  def fileLists: ListTest

  def rowGroupLists: ListTest

  /**
   * The files that a read lists, where the source's own answer is better than that of
   * [[layout]]'s ranges; None if it is not.
   */
  def listed(read: TableRead): Option[Set[String]]

  /** Whether the reader skips row groups by their statistics. */
  def skipsRowGroups: Boolean = true

  /** What can be written and how. Called after [[layout]]. */
  def writer: LayoutWriter
}

/** How a statement rewrites a table. */
private[advice] trait LayoutWriter {

  /** The kinds of layouts for which there is a statement. */
  def kinds: Seq[Layout.Kind]

  /** Whether the statement can arrange rows by a column. */
  def accepts(column: String, kind: Layout.Kind): Boolean

  /** The shrinking factors that are tried with every layout. */
  def shrinks: Seq[Int] = Seq(1)

  /** The shrinking factors that are tried with the best layout. */
  def moreShrinks: Seq[Int] = Nil

  /** The greatest number of row groups that a layout with this factor has. */
  def rowGroups(shrink: Int): Int

  /**
   * The layout that the statement writes.
   *
   * @param sample
   *   rows of the table
   */
  def predict(layout: Layout, sample: Sample, columns: ComparedColumns): TableLayout

  def statement(layout: Layout): Statement
}

private[advice] object AdvisedTable {

  /** The table; or why no advice is given about it. */
  def of(session: SparkSession, ref: TableRef): Either[String, AdvisedTable] = ref.format match {
    case "parquet" => AdvisedParquet.of(session, ref)
    case "delta" => AdvisedDelta.of(session, ref)
    case "iceberg" => AdvisedIceberg.of(session, ref)
    case "orc" =>
      Left("Advice needs the statistics of row groups, which it reads of Parquet files only.")
    case other =>
      Left(s"It is not known how a source of the kind $other skips data.")
  }
}
