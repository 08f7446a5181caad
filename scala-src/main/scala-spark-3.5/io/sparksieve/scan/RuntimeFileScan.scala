// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.HadoopFsRelation

/**
 * A copy of the scan `visible` that reads the relation `files` with the data filters `filters`. It
 * updates the metrics of `visible`.
 */
private[sparksieve] final class RuntimeFileScan(
    @transient override protected val visible: FileSourceScanExec,
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
      visible.disableBucketedScan)
    with AsPlanned
