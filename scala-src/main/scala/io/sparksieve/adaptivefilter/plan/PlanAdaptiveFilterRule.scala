// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.plan

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, ColumnarToRowExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec

import io.sparksieve.adaptivefilter.exec.{AdaptiveColumnarFilterExec, AdaptiveFilterExec}

/**
 * Runs [[PlanAdaptiveFilter]] for plans without adaptive execution. After Spark has inserted its
 * transitions from columns to rows, replaces each one below an adaptive filter by the columnar form
 * of the filter:
 * {{{
 *   AdaptiveFilter                      AdaptiveFilter (columnar)
 *   +- ColumnarToRow             =>     +- FileScan parquet
 *      +- FileScan parquet
 * }}}
 */
private[sparksieve] final class PlanAdaptiveFilterRule(session: SparkSession) extends ColumnarRule {

  override def preColumnarTransitions: Rule[SparkPlan] = new PlanAdaptiveFilter(session)

  override def postColumnarTransitions: Rule[SparkPlan] = FilterBatches
}

private[adaptivefilter] object FilterBatches extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
    // Only Spark's own transition: batches of another engine may be of another kind.
    case AdaptiveFilterExec(condition, ColumnarToRowExec(batches)) =>
      AdaptiveColumnarFilterExec(condition, batches)
    case AdaptiveFilterExec(condition, cached) if isCached(cached) =>
      AdaptiveColumnarFilterExec(condition, cached)
  }

  // The scan of a cached table can output rows itself, so Spark inserts no transition above it.
  private def isCached(plan: SparkPlan): Boolean = plan match {
    case scan: InMemoryTableScanExec => scan.supportsColumnar
    case stage: QueryStageExec => isCached(stage.plan)
    case _ => false
  }
}
