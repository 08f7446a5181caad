package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.connector.read.InputPartition
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.execution.metric.SQLMetric

/** What `visible` reads with more run-time filters, counted on its metrics. */
private[dynamicfilter] final class RuntimeBatchScan(
    @transient visible: BatchScanExec,
    filters: Seq[Expression])
    extends BatchScanExec(
      visible.output,
      visible.scan,
      visible.runtimeFilters ++ filters,
      visible.ordering,
      visible.table,
      visible.spjParams) {

  // What there was before filtering is planned already, and is what the plan above counts on.
  @transient override lazy val inputPartitions: Seq[InputPartition] = visible.inputPartitions

  override lazy val customMetrics: Map[String, SQLMetric] = visible.customMetrics

  override lazy val metrics: Map[String, SQLMetric] = visible.metrics
}
