package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.connector.read.InputPartition
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.execution.metric.SQLMetric

/** A copy of the scan `visible` with additional runtime filters, which updates its metrics. */
private[sparksieve] final class RuntimeBatchScan(
    @transient visible: BatchScanExec,
    filters: Seq[Expression])
    extends BatchScanExec(
      visible.output,
      visible.scan,
      visible.runtimeFilters ++ filters,
      visible.ordering,
      visible.table,
      visible.spjParams) {

  // The partitions before filtering are already planned, and the operators above rely on them.
  @transient override lazy val inputPartitions: Seq[InputPartition] = visible.inputPartitions

  override lazy val customMetrics: Map[String, SQLMetric] = visible.customMetrics

  override lazy val metrics: Map[String, SQLMetric] = visible.metrics
}
