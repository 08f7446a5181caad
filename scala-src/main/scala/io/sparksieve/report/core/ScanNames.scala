// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec

/** Names the source that a leaf of a plan reads; the name is the same in each query. */
private[sparksieve] object ScanNames {

  def apply(leaf: SparkPlan): String = leaf match {
    case files: FileSourceScanExec =>
      files.tableIdentifier.fold(files.relation.location.rootPaths.mkString(", "))(_.unquotedString)
    case batch: BatchScanExec => batch.scan.description()
    case cached: InMemoryTableScanExec => s"cached ${cached.relation.cacheBuilder.cachedName}"
    case stage: QueryStageExec => stage.plan.collectLeaves().map(apply).mkString(", ")
    case other => s"${other.nodeName} of ${other.output.map(_.name).mkString(", ")}"
  }
}
