package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.{Alias, AttributeSet, Expression}
import org.apache.spark.sql.execution.{CodegenSupport, SparkPlan}

import io.sparksieve.common.CannotFail

/**
 * Columns that the operators below compute. Spark's generated code computes such a column where it
 * is read first, which may be behind the predicates that guard it; a filter that hands the columns
 * to methods computes all of them first:
 * {{{
 *   Filter s RLIKE '^[0-9]+$' AND n > 3
 *   +- Project [s, cast(s AS INT) AS n, rand() AS r]
 * }}}
 */
private[adaptivefilter] object DeferredColumns {

  /** An expression that can fail and that one of `columns` of `plan` is computed by. */
  def fallible(columns: AttributeSet, plan: SparkPlan): Option[Expression] = plan match {
    // Others hand over rows, in which all columns have been computed.
    case _: CodegenSupport =>
      val computed = plan.expressions.flatMap(_.collect {
        // What is not deterministic is computed at once.
        case a: Alias if columns.contains(a.toAttribute) && a.deterministic => a.child
      })
      computed.find(!CannotFail(_)).orElse {
        val read = columns ++ AttributeSet(computed.flatMap(_.references))
        plan.children.iterator.map(fallible(read, _)).collectFirst { case Some(e) => e }
      }
    case _ => None
  }
}
