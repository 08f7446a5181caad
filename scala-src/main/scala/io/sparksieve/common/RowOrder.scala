package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.Sample
import org.apache.spark.sql.execution.SampleExec

/**
 * What depends on the order of its rows or on how they are spread over partitions:
 * `monotonically_increasing_id()`, `spark_partition_id()`, `input_file_name()`, `rand(7)`, a sample.
 * A plan that yields the same rows by other scans or joins gives it other rows at each place, so
 * nothing below it may be changed in that way.
 */
object RowOrder {

  /** Whether an operator depends on the order or the partitions of its input. */
  def matters(operator: QueryPlan[_]): Boolean = operator match {
    case _: Sample | _: SampleExec => true
    case _ => operator.expressions.exists(_.exists(matters))
  }

  /** Whether an expression by itself, and not for its children, does. */
  def matters(e: Expression): Boolean =
    !e.deterministic && e.children.forall(_.deterministic) && (e match {
      // No two runs have the same values, so those of any rows are right.
      case Rand(_, hideSeed) => !hideSeed
      case Randn(_, hideSeed) => !hideSeed
      case _: Uuid => false
      // As Spark says of first, collect_list and their like: of rows in whatever order.
      case _: AggregateFunction => false
      // A subquery has rows of its own.
      case _: PlanExpression[_] => false
      case _ => true
    })
}
