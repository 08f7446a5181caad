// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.execution.SparkPlan

import io.sparksieve.report.core.{PredicateText, ScanNames, ScanRows}

/**
 * The row counts of a scan in a run.
 *
 * @param source
 *   the table or files that the scan reads
 * @param predicates
 *   the predicates that Spark evaluates on its rows, sorted; with the source they identify the scan
 *   in each plan of its query
 * @param isNarrowed
 *   whether the scan was pruned with keys, which adaptive execution decides while the query runs
 */
private[sparksieve] final case class RowsOfRun(
    source: String,
    predicates: Seq[String],
    rows: ScanRows,
    isNarrowed: Boolean) {

  private[pushdown] def scan: (String, Seq[String]) = (source, predicates)
}

private[sparksieve] object RowsOfRun {

  /** The row counts of the scans of a plan that has run, in plan order. */
  def of(plan: SparkPlan): Seq[RowsOfRun] = for {
    scan <- FilteredScan.in(plan)
    rows <- scan.rows.toSeq
    (source, predicates) = key(scan)
  } yield RowsOfRun(source, predicates, rows, scan.isNarrowed)

  /** Pairs the scans of a plan with the row counts of a run, by key and in plan order. */
  private[pushdown] def assign(
      scans: Seq[FilteredScan],
      run: Seq[RowsOfRun]): Seq[(FilteredScan, Option[RowsOfRun])] = {
    val start = run.groupBy(_.scan)
    scans
      .foldLeft((start, Vector.empty[(FilteredScan, Option[RowsOfRun])])) {
        case ((left, done), scan) =>
          val name = key(scan)
          val mine = left.getOrElse(name, Nil)
          (left.updated(name, mine.drop(1)), done :+ (scan -> mine.headOption))
      }
      ._2
  }

  private def key(scan: FilteredScan) =
    (ScanNames(scan.scan), scan.conjuncts.map(PredicateText(_)).sorted)
}
