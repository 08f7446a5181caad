// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.plan

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.joins._

/** Matches an inner join with a condition besides its equi-join keys. */
private[adaptivefilter] object ResidualJoin {

  /** The join, its condition besides the equi-join keys, and the join without that condition. */
  def unapply(plan: SparkPlan): Option[(SparkPlan, Expression, SparkPlan)] = plan match {
    // Other joins also output rows without a match, and their condition decides which these are.
    case j: BaseJoinExec if j.joinType == Inner =>
      for {
        residual <- j.condition
        bare <- without(j)
      } yield {
        // Adaptive execution uses these tags to find the operators that it plans again.
        bare.copyTagsFrom(j)
        (j, residual, bare)
      }
    case _ => None
  }

  private def without(join: BaseJoinExec): Option[SparkPlan] = join match {
    case j: BroadcastHashJoinExec => Some(j.copy(condition = None))
    case j: ShuffledHashJoinExec => Some(j.copy(condition = None))
    case j: SortMergeJoinExec => Some(j.copy(condition = None))
    case j: BroadcastNestedLoopJoinExec => Some(j.copy(condition = None))
    case _ => None
  }
}
