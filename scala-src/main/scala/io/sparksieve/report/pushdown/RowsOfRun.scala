package io.sparksieve.report.pushdown

import org.apache.spark.sql.execution.SparkPlan

import io.sparksieve.report.ScanNames

/**
 * How many rows a scan gave in a run.
 *
 * @param scan
 *   what names the scan in each plan of its query
 * @param isNarrowed
 *   whether it was told keys, which adaptive execution decides while the query runs
 */
final case class RowsOfRun(scan: String, rows: ScanRows, isNarrowed: Boolean)

object RowsOfRun {

  /** Those of the scans of a plan that has run, in its order. */
  def of(plan: SparkPlan): Seq[RowsOfRun] = for {
    scan <- FilteredScan.in(plan)
    rows <- scan.rows.toSeq
  } yield RowsOfRun(key(scan), rows, scan.isNarrowed)

  /** The scans of a plan of the same query with their rows: the first of a name gets the first. */
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
    (ScanNames(scan.scan) +: scan.conjuncts.map(PredicateText(_)).sorted).mkString("\n")
}
