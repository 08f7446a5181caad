// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal, PythonFuncExpression}

import io.sparksieve.common.CannotFail
import io.sparksieve.report.core.Reason

/**
 * Checks for which rows the expressions of a query may be evaluated. A rewrite evaluates a condition
 * of one side for rows of the other side, and beside other conditions.
 */
private[sparksieve] object Evaluation {

  /** The reason why the conditions of the sides may not be evaluated elsewhere, if there is one. */
  def obstacle(common: CommonSource, ctx: SetOpContext): Option[Reason] = {
    val all = Seq(common.left, common.right).flatMap(side => side.conditions ++ side.outputs)
    // Spark extracts a Python UDF from AND and IF, and calls it for all rows of an operator.
    if (all.exists(isPython)) Some(Reason.UnsupportedExpression)
    else if (ctx.query.fallible.existFor(common.left.plan)) Some(Reason.MayFail)
    else None
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

  /** Whether an expression may fail for a row. A constant is tried out. */
  def mayFail(e: Expression): Boolean = !CannotFail(e) && !CannotFail(e.transformDown {
    case constant if constant.foldable && !constant.isInstanceOf[Literal] =>
      Try(Literal.create(constant.eval(), constant.dataType)).getOrElse(constant)
  })

  private def isPython(e: Expression) = e.exists(_.isInstanceOf[PythonFuncExpression])
}
