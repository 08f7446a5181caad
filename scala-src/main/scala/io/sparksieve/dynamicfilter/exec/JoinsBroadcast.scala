// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.BuildLeft
import org.apache.spark.sql.execution.{InputAdapter, SQLExecution, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{
  AdaptiveSparkPlanExec,
  AdaptiveSparkPlanHelper,
  QueryStageExec
}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeLike, ReusedExchangeExec}
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec

/**
 * Tests whether a broadcast is the one that the running query's join reads. Its rows are collected
 * once and kept on the driver, so its keys are those of the join even if the source would yield
 * other rows when it is read again.
 */
private[dynamicfilter] object JoinsBroadcast extends AdaptiveSparkPlanHelper {

  /**
   * True if the executed plan, as far as adaptive execution has built it, has at least one
   * broadcast join with these keys, and every such join reads this broadcast.
   *
   * @param executionId
   *   the SQL execution id of the running query, from the local properties of its jobs
   * @param keys
   *   the join's keys on the side that is broadcast
   */
  def isSame(broadcast: SparkPlan, keys: Seq[Expression], executionId: String): Boolean = {
    val own = exchange(broadcast)
    val read = for {
      id <- Option(executionId).toSeq
      query <- Option(SQLExecution.getQueryExecution(id.toLong)).toSeq
      side <- sides(query.executedPlan, keys)
    } yield exchange(side)
    own.nonEmpty && read.nonEmpty && read.forall(_.exists(_ eq own.get))
  }

  /** The side of a join that is broadcast. */
  def side(join: BroadcastHashJoinExec): SparkPlan =
    if (join.buildSide == BuildLeft) join.left else join.right

  private def sides(plan: SparkPlan, keys: Seq[Expression]): Seq[SparkPlan] =
    collectWithSubqueries(plan) {
      case join: BroadcastHashJoinExec if isOf(join, keys) => side(join)
    }

  private def isOf(join: BroadcastHashJoinExec, keys: Seq[Expression]) = {
    val own = if (join.buildSide == BuildLeft) join.leftKeys else join.rightKeys
    own.flatMap(_.references).map(_.exprId) == keys.flatMap(_.references).map(_.exprId)
  }

  private def exchange(plan: SparkPlan): Option[SparkPlan] = plan match {
    case e: BroadcastExchangeLike => Some(e)
    case ReusedExchangeExec(_, e: BroadcastExchangeLike) => Some(e)
    case stage: QueryStageExec => exchange(stage.plan)
    case adaptive: AdaptiveSparkPlanExec => exchange(adaptive.executedPlan)
    case adapter: InputAdapter => exchange(adapter.child)
    case _ => None
  }
}
