// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.{RowDataSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec

/**
 * A data source that reports its measurements after a query has run: the scan of a DSv2 source, or
 * the RDD of a DSv1 relation.
 */
private[sparksieve] trait MeasuredSource {

  /**
   * One entry per figure worth reporting; see [[Measured.measurements]].
   *
   * @param metrics
   *   the metrics of the scan operator by name; they include the source's own metrics only for DSv2
   */
  def measurements(metrics: Map[String, Long]): Seq[Report.Entry]
}

private[sparksieve] object MeasuredSource {

  /** The source that `scan` reads, if the source reports measurements. */
  def of(scan: SparkPlan): Option[MeasuredSource] = scan match {
    case batch: BatchScanExec => Some(batch.scan).collect { case s: MeasuredSource => s }
    case rows: RowDataSourceScanExec => measured(rows.rdd)
    case _ => None
  }

  // Spark converts the rows of the source in an RDD of its own, above the source's RDD.
  private def measured(rdd: RDD[_]): Option[MeasuredSource] = rdd match {
    case source: MeasuredSource => Some(source)
    case other => other.dependencies.headOption.flatMap(d => measured(d.rdd))
  }
}
