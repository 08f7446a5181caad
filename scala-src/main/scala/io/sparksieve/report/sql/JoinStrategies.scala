// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.execution.{SparkPlan, SubqueryExec}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.execution.joins.BaseJoinExec

/**
 * The joins of a plan as it was made before it ran, as adaptive execution may replace them: two
 * plans of one query that differ in them read and filter other rows. Subqueries of filters at run
 * time are left out, which only Sieve and Spark's optimizer add.
 */
private[report] object JoinStrategies {

  /** The names of the join operators, sorted. */
  def of(plan: SparkPlan): Seq[String] = in(plan).sorted

  private def in(plan: SparkPlan): Seq[String] = plan match {
    case adaptive: AdaptiveSparkPlanExec => in(adaptive.initialPlan)
    case reused: ReusedExchangeExec => in(reused.child)
    case node =>
      val own = node match {
        case join: BaseJoinExec => Seq(join.nodeName)
        case _ => Nil
      }
      val subqueries = node.subqueries.collect { case subquery: SubqueryExec => subquery }
      own ++ (subqueries ++ node.children).flatMap(in)
  }

  /** How a run with the joins `run` differs from a plan with the joins `shown`; None if it does not. */
  def difference(run: Seq[String], shown: Seq[String]): Option[String] = {
    def named(joins: Seq[String]) = joins.distinct.mkString(", ")
    (run.diff(shown), shown.diff(run)) match {
      case (Nil, Nil) => None
      case (Nil, more) => Some(s"without ${named(more)}, which the plan shown has")
      case (more, Nil) => Some(s"with ${named(more)}, which the plan shown does not have")
      case (mine, others) => Some(s"with ${named(mine)}, while the plan shown has ${named(others)}")
    }
  }
}
