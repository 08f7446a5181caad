// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.catalyst.expressions._

import io.sparksieve.report.core.ExplainedPredicate

/** Operations on sets of predicates that keep their evaluation order. */
private[pushdown] object Predicates {

  def contains(all: Seq[Expression], predicate: Expression): Boolean =
    all.exists(_.canonicalized == predicate.canonicalized)

  def distinct(all: Seq[Expression]): Seq[Expression] =
    all.foldLeft(Vector.empty[Expression])((kept, p) => if (contains(kept, p)) kept else kept :+ p)

  /**
   * Drops the NULL checks that the optimizer adds beside a predicate. A check is kept if a layer
   * handles it that does not handle the predicate itself.
   */
  def telling(all: Seq[(Expression, ExplainedPredicate)]): Seq[ExplainedPredicate] =
    all.collect {
      case (IsNotNull(column), explained) if !isSaid(column, explained, all) => explained
      case (predicate, explained) if !predicate.isInstanceOf[IsNotNull] => explained
    }

  private def isSaid(
      column: Expression,
      check: ExplainedPredicate,
      all: Seq[(Expression, ExplainedPredicate)]) = all.exists { case (predicate, explained) =>
    !predicate.isInstanceOf[IsNotNull] && dropsNull(predicate, column) &&
    check.steps.map(_.layer).toSet.subsetOf(explained.steps.map(_.layer).toSet)
  }

  /** Whether the predicate is true for no row in which the column is NULL; false if in doubt. */
  private def dropsNull(e: Expression, column: Expression): Boolean =
    e.semanticEquals(column) || (e match {
      case _: EqualNullSafe => false
      case _: BinaryComparison | _: BinaryArithmetic | _: StringPredicate | _: Not | _: Cast |
          _: StringRegexExpression | _: ExtractValue =>
        e.children.exists(dropsNull(_, column))
      case In(value, _) => dropsNull(value, column)
      case InSet(value, _) => dropsNull(value, column)
      case _ => false
    })
}
