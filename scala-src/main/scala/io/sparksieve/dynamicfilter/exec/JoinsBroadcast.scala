// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.BuildLeft
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{InputAdapter, SQLExecution, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{
  AdaptiveSparkPlanExec,
  AdaptiveSparkPlanHelper,
  QueryStageExec
}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeLike, ReusedExchangeExec}
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec

import io.sparksieve.dynamicfilter.optimize.DynamicFilter

/**
 * Finds the broadcast that the running query's join reads. Its rows are collected once and kept on
 * the driver, so its keys are those of the join even if the source would yield other rows when it
 * is read again.
 */
private[dynamicfilter] object JoinsBroadcast extends AdaptiveSparkPlanHelper {

  /**
   * The broadcast of the running query's join that `copy` is a copy of. Spark plans the copy by
   * itself, without the join; if the side has a filter by the keys of another broadcast, Spark finds
   * no join for that filter there, drops it, and would then run the copy besides the join's own.
   *
   * The sides must be the same with all their filters, should two joins have the same keys.
   *
   * None if the side has no such filter, because Spark reuses the join's broadcast then; if there is
   * no such join (yet); if adaptive execution has changed the side since; or without adaptive
   * execution.
   */
  def of(copy: SparkPlan, keys: Seq[Expression], executionId: String): Option[SparkPlan] =
    for {
      side <- logical(copy) if side.exists(_.isInstanceOf[DynamicFilter])
      found <- running(executionId)(hasKeys(_, keys))
        .flatMap(started)
        .find(logical(_).exists(_.sameResult(side)))
    } yield found

  // What is not a stage yet runs as a copy, so its own exchange would run besides that.
  @tailrec
  private def started(side: SparkPlan): Option[SparkPlan] = side match {
    case stage: QueryStageExec => exchange(stage)
    case adapter: InputAdapter => started(adapter.child)
    case _ => None
  }

  /** The side that is broadcast, as the logical plan before Spark dropped anything of it. */
  private def logical(broadcast: SparkPlan): Option[LogicalPlan] = broadcast match {
    case adaptive: AdaptiveSparkPlanExec => logical(adaptive.inputPlan)
    // Spark's wrappers of generated code have no logical plan.
    case e: BroadcastExchangeLike => e.child.collectFirst(Function.unlift(_.logicalLink))
    case _ => None
  }

  /** The sides that the broadcast joins of the running query that are `wanted` read. */
  private def running(executionId: String)(
      wanted: BroadcastHashJoinExec => Boolean): Seq[SparkPlan] =
    for {
      id <- Option(executionId).toSeq
      query <- Option(SQLExecution.getQueryExecution(id.toLong)).toSeq
      side <- collectWithSubqueries(query.executedPlan) {
        case join: BroadcastHashJoinExec if wanted(join) =>
          if (join.buildSide == BuildLeft) join.left else join.right
      }
    } yield side

  // The broadcast of a null-aware anti-join may have no keys.
  private def hasKeys(join: BroadcastHashJoinExec, keys: Seq[Expression]) =
    !join.isNullAwareAntiJoin && buildKeys(join).map(_.canonicalized) == keys.map(_.canonicalized)

  private def buildKeys(join: BroadcastHashJoinExec): Seq[Expression] =
    if (join.buildSide == BuildLeft) join.leftKeys else join.rightKeys

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
    def columns(expressions: Seq[Expression]) = expressions.flatMap(_.references).map(_.exprId)
    val own = exchange(broadcast)
    val read = running(executionId)(join => columns(buildKeys(join)) == columns(keys)).map(exchange)
    own.nonEmpty && read.nonEmpty && read.forall(_.exists(_ eq own.get))
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
