package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.CannotFail
import io.sparksieve.report.Reason

/**
 * For which rows the expressions of a side are evaluated. A rewrite evaluates a condition of one
 * side for rows of the other; for those the condition may fail that its guards kept from it. So
 * each condition that may fail stays behind all that it stood behind ([[Truth]]), which can be said
 * of conditions only that Spark evaluates in the order in which they stand here.
 */
object Evaluation {

  /** Why the conditions of the sides may not be evaluated elsewhere, if so. */
  def obstacle(common: CommonSource): Option[Reason] = {
    val sides = Seq(common.left, common.right)
    // Spark takes a Python UDF out of AND and IF, and calls it for all rows of an operator.
    if (sides.exists(s => (s.conditions ++ s.outputs).exists(isPython))) {
      Some(Reason.UnsupportedExpression)
    }
    // Below a join or an aggregation each of them goes its own way.
    else if (!isOneTable(common.left.plan) && sides.exists(_.conditions.count(mayFail) > 1)) {
      Some(Reason.MayFail)
    } else None
  }

  /**
   * Whether something of the sides may fail. The right side of a UNION that is read until there are
   * enough rows, or of an EXCEPT whose left side is empty, may never have been evaluated.
   */
  def mayFail(common: CommonSource): Boolean = mayFail(common.left) || mayFail(common.right)

  /** Whether something of one side may fail. */
  def mayFail(side: Branch): Boolean = (side.conditions ++ side.outputs).exists(mayFail)

  /** With conditions on directories first, which Spark evaluates before it reads a row. */
  def ordered(common: CommonSource): CommonSource = {
    val partitions = PartitionColumns(common.left.plan)
    def first(e: Expression) = e.references.nonEmpty && e.references.subsetOf(partitions) &&
      !Branch.isCorrelated(e)
    def sorted(side: Branch) = {
      val (directories, rows) = side.conditions.partition(first)
      side.copy(conditions = directories ++ rows)
    }
    if (partitions.isEmpty) common else CommonSource(sorted(common.left), sorted(common.right))
  }

  private def isOneTable(plan: LogicalPlan): Boolean = plan match {
    case _: SubqueryAlias | _: View | _: Project | _: Filter => isOneTable(plan.children.head)
    case other => other.children.isEmpty
  }

  private def mayFail(e: Expression): Boolean = !CannotFail(e)

  private def isPython(e: Expression) = e.exists(_.isInstanceOf[PythonFuncExpression])
}
