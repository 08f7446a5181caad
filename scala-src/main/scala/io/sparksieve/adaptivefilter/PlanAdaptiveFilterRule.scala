package io.sparksieve.adaptivefilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, ColumnarToRowExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec

/**
 * Runs [[PlanAdaptiveFilter]] where there is no adaptive execution; and, when Spark has put its
 * transitions from columns to rows in, lets the filters above them do these:
 * {{{
 *   AdaptiveFilter                      AdaptiveFilter (columnar)
 *   +- ColumnarToRow             =>     +- FileScan parquet
 *      +- FileScan parquet
 * }}}
 */
final class PlanAdaptiveFilterRule(session: SparkSession) extends ColumnarRule {

  override def preColumnarTransitions: Rule[SparkPlan] = new PlanAdaptiveFilter(session)

  override def postColumnarTransitions: Rule[SparkPlan] = FilterBatches
}

private[adaptivefilter] object FilterBatches extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
    // Only Spark's own transition: another engine's may be over batches of another kind.
    case AdaptiveFilterExec(condition, ColumnarToRowExec(batches)) =>
      AdaptiveColumnarFilterExec(condition, batches)
    case AdaptiveFilterExec(condition, cached) if isCached(cached) =>
      AdaptiveColumnarFilterExec(condition, cached)
  }

  // A cached table yields rows as well, so that Spark puts no transition above it.
  private def isCached(plan: SparkPlan): Boolean = plan match {
    case scan: InMemoryTableScanExec => scan.supportsColumnar
    case stage: QueryStageExec => isCached(stage.plan)
    case _ => false
  }
}
