// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.connector.read.{InputPartition, PartitionReaderFactory, Scan}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.execution.metric.SQLMetric

/**
 * A copy of the operator `visible` that reads `scan` with additional runtime filters, and updates
 * the metrics of `visible`.
 */
private[sparksieve] final class RuntimeBatchScan(
    @transient visible: BatchScanExec,
    @transient scan: Scan,
    filters: Seq[Expression])
    extends BatchScanExec(
      visible.output,
      scan,
      visible.runtimeFilters ++ filters,
      visible.ordering,
      visible.table,
      visible.keyGroupedPartitioning) {

  // If the scan is the planned one, its partitions before filtering are already planned, and the
  // operators above rely on them.
  @transient override lazy val inputPartitions: Seq[InputPartition] =
    if (scan eq visible.scan) visible.inputPartitions else batch.planInputPartitions().toSeq

  // A source may choose rows or batches by the files that it reads. The operators above rely on the
  // choice for the files of the planned scan, among which are all that are left.
  override lazy val readerFactory: PartitionReaderFactory = visible.readerFactory

  override def supportsColumnar: Boolean = visible.supportsColumnar

  override lazy val customMetrics: Map[String, SQLMetric] = visible.customMetrics

  override lazy val metrics: Map[String, SQLMetric] = visible.metrics
}
