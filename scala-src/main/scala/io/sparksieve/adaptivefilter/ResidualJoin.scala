package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.joins._

/** A join, its condition beside the equal keys, and the join without it. */
private[adaptivefilter] object ResidualJoin {

  def unapply(plan: SparkPlan): Option[(SparkPlan, Expression, SparkPlan)] = plan match {
    case j: BaseJoinExec if j.joinType == Inner =>
      for {
        residual <- j.condition
        bare <- without(j)
      } yield {
        // Adaptive execution finds by these what it plans anew.
        bare.copyTagsFrom(j)
        (j, residual, bare)
      }
    case _ => None
  }

  // Rows without a partner come out of other joins: their condition decides which these are.
  private def without(join: BaseJoinExec): Option[SparkPlan] = join match {
    case j: BroadcastHashJoinExec => Some(j.copy(condition = None))
    case j: ShuffledHashJoinExec => Some(j.copy(condition = None))
    case j: SortMergeJoinExec => Some(j.copy(condition = None))
    case j: BroadcastNestedLoopJoinExec => Some(j.copy(condition = None))
    case _ => None
  }
}
