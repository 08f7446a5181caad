// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.annotation.tailrec
import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal, PythonFuncExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.sparksieve.common.CannotFail
import io.sparksieve.report.core.{PredicateText, Reason, Refusal}

/**
 * Checks for which rows the expressions of a query may be evaluated. A rewrite evaluates a condition
 * of one side for rows of the other side, and beside other conditions.
 */
private[sparksieve] object Evaluation {

  /** Why the conditions of the sides may not be evaluated elsewhere, if they may not. */
  def obstacle(
      common: CommonSource,
      sides: Seq[LogicalPlan],
      ctx: SetOpContext): Option[Refusal] = {
    val all = Seq(common.left, common.right).flatMap(_.expressions)
    // Spark extracts a Python UDF from AND and IF, and calls it for all rows of an operator.
    if (all.exists(isPython)) Some(Reason.UnsupportedExpression)
    else if (!ctx.conf.crossJoinEnabled && ctx.query.hasJoins) Some(CrossJoin)
    else ctx.query.fallible.findBeside(common.left.plan, sides).map(refusal)
  }

  /**
   * Nothing if no expression of either side may fail. Without a rewrite the right side may never be
   * evaluated: in a UNION that is read only until there are enough rows, or in an EXCEPT whose left
   * side is empty.
   */
  def cannotFail(common: CommonSource): Either[Refusal, Unit] =
    cannotFail(Seq(common.left, common.right).flatMap(_.expressions))

  /**
   * Nothing if the left side cannot fail. Without a rewrite, a semi-join whose right side is empty
   * reads no row of the left side, so nothing fails there.
   *
   * @param others
   *   conditions over the left side that are evaluated beside the semi-join
   */
  def leftCannotFail(common: CommonSource, others: Seq[Expression] = Nil): Either[Refusal, Unit] =
    cannotFail(common.left.expressions ++ others.map(Branch.plain))

  private def cannotFail(expressions: Seq[Expression]): Either[Refusal, Unit] =
    expressions.find(mayFail).map(refusal).toLeft(())

  private def refusal(fallible: Expression): Refusal =
    Refusal(
      Reason.MayFail,
      PredicateText(least(fallible)) +
        " may raise an error, and with one scan Spark may evaluate it for other rows.")

  /** The least part of a fallible expression that may fail by itself. */
  @tailrec
  private def least(fallible: Expression): Expression = fallible.children.find(mayFail) match {
    case Some(child) => least(child)
    case None => fallible
  }

  /** Whether an expression may fail for a row. A constant is tried out. */
  def mayFail(e: Expression): Boolean = !CannotFail(e) && !CannotFail(e.transformDown {
    case constant if constant.foldable && !constant.isInstanceOf[Literal] =>
      Try(Literal.create(constant.eval(), constant.dataType)).getOrElse(constant)
  })

  private val CrossJoin = Refusal(
    Reason.MayFail,
    "With spark.sql.crossJoin.enabled=false Spark may refuse a join of the query, once one scan shows that its key is constant.")

  private def isPython(e: Expression) = e.exists(_.isInstanceOf[PythonFuncExpression])
}
