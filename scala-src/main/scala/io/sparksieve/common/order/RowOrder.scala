// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common.order

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.Sample
import org.apache.spark.sql.execution.{SampleExec, SparkPlan}

/**
 * Finds operators and expressions that depend on the order of their input rows or on the rows'
 * partitions: `monotonically_increasing_id()`, `spark_partition_id()`, `input_file_name()`,
 * `rand(7)`, a sample, `_metadata.file_block_start`. A rewrite that produces the same rows by other
 * scans or joins changes their order and partitions, so such a rewrite is not allowed below these
 * operators.
 */
private[sparksieve] object RowOrder {

  /** Whether an operator depends on the order or the partitions of its input. */
  def matters(operator: QueryPlan[_]): Boolean =
    isRandom(operator) || operator.expressions.exists(readsSplits)

  /** Whether rows of a physical plan depend on the order or the partitions of those that it reads. */
  def mattersIn(plan: SparkPlan): Boolean = plan.exists(isRandom) || SplitsShown(plan)

  private def isRandom(operator: QueryPlan[_]) = operator match {
    case _: Sample | _: SampleExec => true
    case _ => operator.expressions.exists(_.exists(matters))
  }

  /** Whether an expression reads where the split of its file begins or how long it is. */
  def readsSplits(e: Expression): Boolean = ColumnPart.of(e).exists(_.isOfSplit)

  /** Whether an expression itself, apart from its children, depends on them. */
  def matters(e: Expression): Boolean =
    !e.deterministic && e.children.forall(_.deterministic) && (e match {
      // With a random seed every run returns other values, so any order of the rows is right.
      case Rand(_, hideSeed) => !hideSeed
      case Randn(_, hideSeed) => !hideSeed
      // Its seed is always there. One that a user wrote is as good as never beyond an integer, and
      // a random one as good as never within.
      case Uuid(seed) => seed.exists(_.isValidInt)
      // Spark documents that first, collect_list and the like depend on an arbitrary row order.
      case _: AggregateFunction => false
      // A subquery reads its own rows.
      case _: PlanExpression[_] => false
      case _ => true
    })
}
