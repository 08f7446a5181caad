// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions.{Expression, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.metric.SQLMetric

/**
 * A copy of the scan `visible` that reads the relation `files` with the data filters `filters`. It
 * updates the metrics of `visible`.
 */
private[sparksieve] final class RuntimeFileScan(
    @transient visible: FileSourceScanExec,
    @transient files: HadoopFsRelation,
    filters: Seq[Expression])
    extends FileSourceScanExec(
      files,
      visible.output,
      visible.requiredSchema,
      visible.partitionFilters,
      visible.optionalBucketSet,
      visible.optionalNumCoalescedBuckets,
      filters,
      visible.tableIdentifier,
      visible.disableBucketedScan) {

  override lazy val driverMetrics: Map[String, SQLMetric] = visible.driverMetrics

  override def metrics: Map[String, SQLMetric] = visible.metrics

  // Spark derives these from confs, which may have changed since the operators above were planned.
  override lazy val supportsColumnar: Boolean = visible.supportsColumnar

  override lazy val bucketedScan: Boolean = visible.bucketedScan

  override lazy val outputPartitioning: Partitioning = visible.outputPartitioning

  override lazy val outputOrdering: Seq[SortOrder] = visible.outputOrdering
}
