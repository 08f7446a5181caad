// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.expr

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode, FalseLiteral}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._

/**
 * `first AND second` as a filter condition that Spark does not split into two predicates. If split,
 * Spark would push `second` below the join that answers `first`, where `second` can fail for rows
 * that `first` drops. Evaluates to false instead of NULL, so it is valid in filters only.
 */
private[bulkfilter] final case class AndThen(first: Expression, second: Expression)
    extends BinaryExpression
    with Predicate
    with ConditionalExpression {

  override def left: Expression = first
  override def right: Expression = second

  override def nullable: Boolean = false

  // Spark must not evaluate common subexpressions of `second` ahead of `first`.
  override def alwaysEvaluatedInputs: Seq[Expression] = Seq(first)

  def withNewAlwaysEvaluatedInputs(inputs: Seq[Expression]): AndThen = copy(first = inputs.head)

  override def branchGroups: Seq[Seq[Expression]] = Nil

  override def eval(input: InternalRow): Any =
    first.eval(input) == true && second.eval(input) == true

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val (one, two) = (first.genCode(ctx), second.genCode(ctx))
    ev.copy(
      code = code"""
        ${one.code}
        boolean ${ev.value} = false;
        if (!${one.isNull} && ${one.value}) {
          ${two.code}
          ${ev.value} = !${two.isNull} && ${two.value};
        }
      """,
      isNull = FalseLiteral
    )
  }

  override def sql: String = s"(${first.sql} AND ${second.sql})"

  override protected def withNewChildrenInternal(
      newLeft: Expression,
      newRight: Expression): AndThen = copy(newLeft, newRight)
}
