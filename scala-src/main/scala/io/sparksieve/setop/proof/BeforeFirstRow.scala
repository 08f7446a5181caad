// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, AggregateFunction}

import io.sparksieve.report.core.AtRunTime

/**
 * Finds expressions that may fail before there is a row. Spark evaluates an expression while it
 * plans, if all its arguments are constant by then. If only some are, it may prepare those before
 * the first row (a pattern, a format, a time zone), and fails if they are not valid.
 *
 * It does neither without a set operation's rewrite where the operation hides that a column is
 * constant, or where adaptive execution drops an operator over no rows.
 */
private[setop] object BeforeFirstRow {

  /** Whether `e` itself, apart from its children, may fail before there is a row. */
  def mayFail(e: Expression, origins: ColumnOrigins): Boolean = e match {
    // These are evaluated for groups and frames of rows.
    case _: AggregateExpression | _: AggregateFunction | _: WindowExpression => false
    case _: WindowSpecDefinition | _: WindowFrame | _: SortOrder | _: Alias => false
    // What an operator calls for rows.
    case _: AtRunTime => false
    case _ =>
      failsItself(e) && !(
        if (preparesNothing(e)) e.children.exists(origins.isNeverConstant)
        else e.children.nonEmpty && e.children.forall(origins.isNeverConstant)
      )
  }

  private def failsItself(e: Expression) = Evaluation.mayFail(Try(e.mapChildren {
    case constant if constant.foldable => constant
    case child => AttributeReference("child", child.dataType, child.nullable)()
  }).getOrElse(e))

  private def preparesNothing(e: Expression): Boolean = e match {
    case _: Cast | _: BinaryArithmetic | _: UnaryMinus | _: Abs | _: RoundBase => true
    case _: GetArrayItem | _: ElementAt => true
    case _: DateAdd | _: DateSub | _: AddMonths => true
    case _: ScalaUDF | _: PythonFuncExpression => true
    case _ => false
  }
}
