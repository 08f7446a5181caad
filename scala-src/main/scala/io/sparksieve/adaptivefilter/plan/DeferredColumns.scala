// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.plan

import org.apache.spark.sql.catalyst.expressions.{Alias, AttributeSet, Expression}
import org.apache.spark.sql.execution.{CodegenSupport, SparkPlan}

import io.sparksieve.common.CannotFail

/**
 * Finds columns that operators below the filter compute and that can fail. Spark's generated code
 * computes such a column where it is first read, which may be after the predicates that guard it.
 * An adaptive filter passes columns to methods, and so would compute all of them first:
 * {{{
 *   Filter s RLIKE '^[0-9]+$' AND n > 3
 *   +- Project [s, cast(s AS INT) AS n, rand() AS r]
 * }}}
 */
private[adaptivefilter] object DeferredColumns {

  /**
   * An expression that can fail and that computes one of `columns` in `plan`, or in the operators
   * below it within the same generated code.
   */
  def fallible(columns: AttributeSet, plan: SparkPlan): Option[Expression] = plan match {
    // Other operators output rows, in which all columns have been computed.
    case _: CodegenSupport =>
      val computed = plan.expressions.flatMap(_.collect {
        // Spark computes non-deterministic columns at once.
        case a: Alias if columns.contains(a.toAttribute) && a.deterministic => a.child
      })
      computed.find(!CannotFail(_)).orElse {
        val read = columns ++ AttributeSet(computed.flatMap(_.references))
        plan.children.iterator.map(fallible(read, _)).collectFirst { case Some(e) => e }
      }
    case _ => None
  }
}
