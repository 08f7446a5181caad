// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.types._

import io.sparksieve.common.{CannotFail, NeverFails, Types}

/**
 * The parts of an operator's expression that are evaluated for each row: the inputs of aggregate and
 * window functions, the values that are compared with a subquery, and the rest, in which something
 * stands for the results of these functions and subqueries, and for random numbers. A function that
 * has no result for some inputs stays, and so does a scalar subquery that may have several rows.
 */
private[setop] object PerRow {

  def apply(expression: Expression): Seq[Expression] =
    result(expression) +: Branch
      .plain(expression)
      .collect {
        case InSubquery(values, _) => values
        case subquery: SubqueryExpression => subquery.children
        case a: AggregateExpression => a.aggregateFunction.children ++ a.filter
        case w: WindowExpression =>
          w.windowFunction.children.filterNot(_.isInstanceOf[AggregateFunction]) ++
            w.windowSpec.partitionSpec ++ w.windowSpec.orderSpec
      }
      .flatten
      .map(result)

  /** The part of an expression that is evaluated once its functions and subqueries have results. */
  def result(expression: Expression): Expression =
    unnamed(Branch.plain(expression)).transformDown {
      case in: InSubquery => ResultOf(in, BooleanType)
      case several: ScalarSubquery if !several.plan.maxRows.exists(_ <= 1) => several
      case s: SubqueryExpression => ResultOf(s, s.dataType)
      case a: AggregateExpression if cannotFail(a) => ResultOf(a, a.dataType)
      case w @ WindowExpression(f, spec) if cannotFail(f) && !addsToOrder(spec) =>
        ResultOf(w, w.dataType)
      case random: RDG => ResultOf(random, random.dataType)
    }

  private def unnamed(e: Expression) = e match {
    case Alias(child, _) => child
    case order: SortOrder => order.child
    case other => other
  }

  private def cannotFail(function: Expression): Boolean = function match {
    case AggregateExpression(f, _, _, _, _) => cannotFail(f)
    case sum: Sum => cannotOverflow(sum, sum.child.dataType)
    case average: Average =>
      Types.isPrimitiveNumber(average.child.dataType) ||
      cannotOverflow(average, average.child.dataType)
    case _: Count | _: CentralMomentAgg | _: Min | _: Max => true
    case _: First | _: Last | _: CollectList | _: CollectSet => true
    case _: RowNumber | _: RankLike | _: CumeDist | _: FrameLessOffsetWindowFunction => true
    case _ => false
  }

  /**
   * Whether a sum of values of a type has a result for fewer than four thousand million rows. The
   * type of a sum of decimals has ten digits more than theirs, up to 38.
   */
  private def cannotOverflow(sum: Expression, of: DataType): Boolean = of match {
    case FloatType | DoubleType | ByteType | ShortType | IntegerType => true
    case d: DecimalType if d.precision + 10 <= DecimalType.MAX_PRECISION => true
    case LongType | _: DecimalType => !CannotFail.isAnsi(sum)
    case _ => false
  }

  /** Whether a frame begins or ends at a value that is computed from the current row's. */
  private def addsToOrder(spec: WindowSpecDefinition) = spec.frameSpecification match {
    case SpecifiedWindowFrame(RangeFrame, lower, upper) =>
      Seq(lower, upper).exists(!_.isInstanceOf[SpecialFrameBoundary])
    case _ => false
  }
}

/** Stands for the result of a function or subquery. */
private[proof] final case class ResultOf(of: Expression, dataType: DataType)
    extends LeafExpression
    with NeverFails
    with Unevaluable {
  override def nullable: Boolean = true
  override def sql: String = of.sql
}
