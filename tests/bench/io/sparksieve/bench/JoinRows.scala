// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import org.apache.spark.sql.execution.{LimitExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.exchange.{ReusedExchangeExec, ShuffleExchangeLike}
import org.apache.spark.sql.execution.joins.BaseJoinExec

/**
 * The rows that entered a join and left it, in a plan that has run. What a filter by keys can save
 * below a join is the difference between `larger` and the rows that have a partner; `out` has more
 * rows than these only if keys repeat on the other side.
 *
 * @param larger
 *   rows of the input that had more rows
 * @param smaller
 *   rows of the other input
 * @param out
 *   rows of the result
 */
final case class JoinRows(name: String, larger: Long, smaller: Long, out: Long)

object JoinRows {

  /** The rows of a join; None if an input does not count its rows. */
  def of(join: BaseJoinExec): Option[JoinRows] =
    for {
      left <- rows(join.left)
      right <- rows(join.right)
      out <- metric(join, "numOutputRows")
    } yield JoinRows(join.nodeName, left.max(right), left.min(right), out)

  private def rows(plan: SparkPlan): Option[Long] = plan match {
    case stage: QueryStageExec => rows(stage.plan)
    case reused: ReusedExchangeExec => rows(reused.child)
    case shuffle: ShuffleExchangeLike => metric(shuffle, "shuffleRecordsWritten")
    case counted if counted.metrics.contains("numOutputRows") => metric(counted, "numOutputRows")
    case _: LimitExec => None
    // A projection, a sort, and operators that only pass rows on.
    case other if other.children.size == 1 => rows(other.children.head)
    case _ => None
  }

  private def metric(plan: SparkPlan, name: String): Option[Long] =
    plan.metrics.get(name).map(_.value.max(0L))
}
