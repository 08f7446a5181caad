package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.metric.SQLMetric

/** What `visible` reads of another relation with other filters, counted on its metrics. */
private[dynamicfilter] final class RuntimeFileScan(
    @transient visible: FileSourceScanExec,
    @transient files: HadoopFsRelation,
    filters: Seq[Expression])
    extends FileSourceScanExec(
      files,
      visible.stream,
      visible.output,
      visible.requiredSchema,
      visible.partitionFilters,
      visible.optionalBucketSet,
      visible.optionalNumCoalescedBuckets,
      filters,
      visible.tableIdentifier,
      visible.disableBucketedScan,
      visible.markedForSingleTaskExecution
    ) {

  override lazy val driverMetrics: Map[String, SQLMetric] = visible.driverMetrics

  override def metrics: Map[String, SQLMetric] = visible.metrics

  // It counts files, and was promised to the plan above for the visible scan's.
  override lazy val useSingleTaskExecution: Boolean = visible.useSingleTaskExecution
}
