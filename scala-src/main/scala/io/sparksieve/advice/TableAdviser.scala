// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import org.apache.spark.sql.SparkSession

import io.sparksieve.advice.layout.{Layout, Shares, TableLayout}
import io.sparksieve.advice.table.AdvisedTable
import io.sparksieve.advice.workload.{ComparedColumns, TableRead, TableRef}

/**
 * Advises on one table.
 *
 * @param limits
 *   how much is sampled and tried
 */
private[advice] final class TableAdviser(session: SparkSession, limits: TableAdviser.Limits) {

  /** @param reads the scans of the table, each with its query's id and weight in seconds */
  def apply(ref: TableRef, reads: Seq[(Int, Double, TableRead)]): TableAdvice =
    AdvisedTable.of(session, ref) match {
      case Left(reason) => TableAdvice.declined(ref.text, ref.format, reason)
      case Right(table) => advise(ref, table, reads)
    }

  private def advise(
      ref: TableRef,
      table: AdvisedTable,
      reads: Seq[(Int, Double, TableRead)]): TableAdvice = {
    val filters = reads.flatMap(_._3.predicates).flatMap(Reading.filter)
    val references = reads.flatMap(_._3.predicates).flatMap(_.references.map(_.name))
    val keys = reads.flatMap(_._3.keys.map(_.column))
    val columns = ComparedColumns.of(
      table.schema,
      ComparedColumns.named(filters) ++ references ++ keys ++ table.partitionColumns)
    val (today, notes) = table.layout(columns)
    val directories = table.partitionColumns.flatMap(columns.index).toSet
    val readings = reads.map { case (id, weight, read) =>
      new Reading(id, weight, read, columns, table)
    }
    val shares = readings.map(_.today(today, directories))
    val total = readings.map(_.weight).sum
    val described = TableAdvice(
      ref.text,
      ref.format,
      TableAdvice.Outcome.Declined,
      "",
      Some(today.size),
      table.partitionColumns,
      queries = readings.zip(shares).map { case (r, s) => r.describe(r.weight / total, s) },
      today = Some(Shares.mean(readings.map(_.weight).zip(shares))),
      notes = notes
    )
    val nulls = withNulls(today)
    def ranked(used: Reading => Set[Int]) = mostUseful(columns, readings, shares, table)(used)
    val useful = Useful(
      ranked(_.columnsUsed(nulls)),
      if (table.writer.kinds.contains(Layout.Kind.Partition)) ranked(_.columnsInDirectories)
      else Nil)
    val nothing = noColumn(readings, directories)
    if (today.size.rows == 0) described.copy(reason = "The table has no rows.")
    else if (today.size.rowGroups < 2 && table.writer.moreShrinks.isEmpty && table.writer.shrinks.size < 2)
      described.copy(reason = "The table has a single small row group: there is nothing to skip.")
    else if (useful.isEmpty) described.copy(reason = nothing)
    else {
      val predictor = new Predictor(columns, table.writer, readings, directories)
      new Choice(session, table, columns, predictor, limits)(described, today, useful, nothing)
    }
  }

  /** The columns to arrange by, those first by which the queries read most today. */
  private def mostUseful(
      columns: ComparedColumns,
      readings: Seq[Reading],
      today: Seq[Shares],
      table: AdvisedTable)(used: Reading => Set[Int]): Seq[String] = {
    val weighted = for {
      (reading, share) <- readings.zip(today)
      column <- used(reading).toSeq
      if table.writer.kinds.exists(table.writer.accepts(columns.names(column), _))
    } yield (column, reading.weight * share.bytes)
    val sums = weighted.groupBy(_._1).map { case (c, all) => c -> all.map(_._2).sum }
    sums.toSeq.sortBy { case (c, sum) => (-sum, c) }.map { case (c, _) => columns.names(c) }
  }

  private def withNulls(layout: TableLayout): Set[Int] =
    layout.files.headOption.toSeq
      .flatMap(_.ranges.indices)
      .filter(i => layout.files.exists(_.ranges(i).hasNulls))
      .toSet

  private def noColumn(readings: Seq[Reading], directories: Set[Int]): String =
    if (readings.exists(_.columnsUsed(Set.empty).intersect(directories).nonEmpty))
      "The queries have predicates on the partition columns only, which already skip directories."
    else "No query has a predicate by which files or row groups of this table could be skipped."
}

/**
 * The columns to arrange by, the most useful first.
 *
 * @param ranges
 *   those whose ranges skip data
 * @param directories
 *   those that skip data if each value has a directory
 */
private[advice] final case class Useful(ranges: Seq[String], directories: Seq[String]) {
  def isEmpty: Boolean = ranges.isEmpty && directories.isEmpty
}

private[advice] object TableAdviser {

  /**
   * @param rowsPerGroup
   *   the rows to sample for each row group
   * @param rows
   *   the most rows to sample
   * @param candidates
   *   the most layouts to predict
   * @param finalists
   *   the layouts that are predicted by the whole sample
   */
  final case class Limits(rowsPerGroup: Int, rows: Int, candidates: Int, finalists: Int = 8)
}
