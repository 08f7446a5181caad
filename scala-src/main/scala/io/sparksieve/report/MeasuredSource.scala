package io.sparksieve.report

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.{RowDataSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec

/**
 * A data source that can tell, after a query has run, what it did for it: the scan of a DSv2
 * source, or the RDD of one of the first interface.
 */
trait MeasuredSource {

  /**
   * One entry a figure worth telling; see [[Measured.measurements]].
   *
   * @param metrics
   *   those of the scan's operator by name, which has the source's own with DSv2 alone
   */
  def measurements(metrics: Map[String, Long]): Seq[Report.Entry]
}

object MeasuredSource {

  /** The source that `scan` reads, if it can tell. */
  def of(scan: SparkPlan): Option[MeasuredSource] = scan match {
    case batch: BatchScanExec => Some(batch.scan).collect { case s: MeasuredSource => s }
    case rows: RowDataSourceScanExec => measured(rows.rdd)
    case _ => None
  }

  // Spark converts rows in an RDD of its own.
  private def measured(rdd: RDD[_]): Option[MeasuredSource] = rdd match {
    case source: MeasuredSource => Some(source)
    case other => other.dependencies.headOption.flatMap(d => measured(d.rdd))
  }
}
