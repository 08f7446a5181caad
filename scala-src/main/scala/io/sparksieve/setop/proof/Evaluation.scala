// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.CannotFail
import io.sparksieve.report.core.Reason

/**
 * Checks for which rows the expressions of a side may be evaluated. A rewrite evaluates a condition
 * of one side for rows of the other side; a condition that may fail must not see a row that its
 * guards would drop. So each condition that may fail is evaluated after all conditions that were
 * written before it ([[Truth]]). That is possible only if Spark evaluates the conditions in the
 * order listed here.
 */
private[sparksieve] object Evaluation {

  /** The reason why the conditions of the sides may not be evaluated elsewhere, if there is one. */
  def obstacle(common: CommonSource, ctx: SetOpContext): Option[Reason] = {
    val sides = Seq(common.left, common.right)
    // Spark extracts a Python UDF from AND and IF, and calls it for all rows of an operator.
    if (sides.exists(s => (s.conditions ++ s.outputs).exists(isPython))) {
      Some(Reason.UnsupportedExpression)
    } else if (!conditionsMayMove(common, ctx) || tellTooMuch(common, ctx)) Some(Reason.MayFail)
    else None
  }

  /**
   * Whether the conditions that may fail are evaluated for no other rows, and are left out where
   * Spark leaves them out without a rewrite:
   *
   *   - above the set operation, nothing copies them to another table or leaves out a side;
   *   - Spark pushes conditions below a join one by one, so their order is lost;
   *   - Spark learns nothing about their columns, from which it could leave out or move a condition;
   *   - each side has one of them at most, and that one is a comparison. Spark simplifies `c AND NOT
   *     c` or `if(c, FALSE, NULL)`, and then evaluates nothing. Within a rewritten condition it may
   *     not.
   */
  private def conditionsMayMove(common: CommonSource, ctx: SetOpContext): Boolean = {
    val sides = Seq(common.left, common.right)
    val fallible = sides.map(_.conditions.filter(mayFail))
    fallible.forall(_.isEmpty) || {
      !ctx.surrounded && isOneTable(common.left.plan) &&
      fallible.forall(c => c.length <= 1 && c.forall(isComparison)) &&
      !fallible.flatten.exists(ctx.query.fixed.concern(_, negatable(common.right)))
    }
  }

  /**
   * Whether conditions of the sides, in one filter, may tell Spark what a column is that an
   * expression elsewhere in the query reads, and fails for.
   */
  private def tellTooMuch(common: CommonSource, ctx: SetOpContext): Boolean = {
    val right = negatable(common.right)
    ctx.query.fixed.mayFail(common.left.conditions ++ right, right)
  }

  /** The conditions of the right side that Spark sees in a rewritten filter ([[Truth]]). */
  private def negatable(right: Branch): Seq[Expression] =
    if (right.conditions.exists(mayFail)) Nil else right.conditions

  private def isComparison(e: Expression): Boolean = e match {
    case Not(c) if !c.isInstanceOf[Not] => isComparison(c)
    case _: BinaryComparison | _: StringPredicate | _: StringRegexExpression | _: In =>
      !e.children.exists(_.exists {
        case _: Predicate | _: ConditionalExpression => true
        case _ => false
      })
    case _ => false
  }

  /**
   * Whether an expression of either side may fail. Without a rewrite the right side may never be
   * evaluated: in a UNION that is read only until there are enough rows, or in an EXCEPT whose left
   * side is empty.
   */
  def mayFail(common: CommonSource): Boolean = mayFail(common.left) || mayFail(common.right)

  /** Whether an expression of one side may fail. */
  def mayFail(side: Branch): Boolean = (side.conditions ++ side.outputs).exists(mayFail)

  /**
   * The right side if the left cannot fail. Without a rewrite, a semi-join whose right side is empty
   * reads no row of the left side, so nothing fails there.
   *
   * @param others
   *   conditions over the left side that are evaluated beside the semi-join
   */
  def leftCannotFail(common: CommonSource, others: Seq[Expression] = Nil): Either[Reason, Unit] =
    if (mayFail(common.left) || others.exists(e => mayFail(Branch.plain(e)))) Left(Reason.MayFail)
    else Right(())

  /** Puts conditions on partition columns first: Spark evaluates them before it reads a row. */
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

  /** Whether an expression may fail for a row. A constant is tried out. */
  def mayFail(e: Expression): Boolean = !CannotFail(e) && !CannotFail(e.transformDown {
    case constant if constant.foldable && !constant.isInstanceOf[Literal] =>
      Try(Literal.create(constant.eval(), constant.dataType)).getOrElse(constant)
  })

  private def isPython(e: Expression) = e.exists(_.isInstanceOf[PythonFuncExpression])
}
