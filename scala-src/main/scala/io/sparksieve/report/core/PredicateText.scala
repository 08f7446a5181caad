// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.util.CharVarcharCodegenUtils
import org.apache.spark.sql.execution.{InSubqueryExec, ScalarSubquery => ScalarSubqueryExec}

import io.sparksieve.common.Shorten

/** Formats a predicate as a user would write it; the text is the same in each plan of a query. */
private[sparksieve] object PredicateText {

  def apply(predicate: Expression): String = {
    // Some expressions have no SQL.
    val sql = Try(predicate.transform(shown).sql).getOrElse(predicate.toString)
    Shorten(if (isWrapped(sql)) sql.substring(1, sql.length - 1) else sql, MaxLength)
  }

  private final val MaxLength = 200

  private val shown: PartialFunction[Expression, Expression] = {
    case DynamicPruningExpression(child) => child.transform(shown)
    case in: InSubqueryExec => membership(in.child, "values collected at run time")
    case in: DynamicPruningSubquery => membership(in.pruningKey, "values collected at run time")
    case s: ScalarSubqueryExec => AtRunTime("(subquery)", s.dataType)
    // The expressions that Spark wraps around user-defined functions and CHAR columns.
    case If(IsNull(_), _: Literal, guarded) if guarded.exists(_.isInstanceOf[KnownNotNull]) =>
      guarded.transform(shown)
    case KnownNotNull(child) => child.transform(shown)
    case s: StaticInvoke if s.staticObject == classOf[CharVarcharCodegenUtils] =>
      s.arguments.head.transform(shown)
    case s: SubqueryExpression => AtRunTime("(subquery)", s.dataType)
    case a: AttributeReference => a.withQualifier(Nil)
    // The text ends within the first values of a long list; sorting a long set takes long.
    case In(value, list) if list.size > MaxLength => In(value, list.take(MaxLength))
    case InSet(value, set) if set.size > MaxLength =>
      In(value, set.iterator.take(MaxLength).map(Literal(_, value.dataType)).toSeq)
  }

  private def membership(column: Expression, of: String) =
    In(column.transform(shown), Seq(AtRunTime(of, column.dataType)))

  /** Whether the first parenthesis is closed by the last. */
  private def isWrapped(sql: String) = sql.startsWith("(") && sql.endsWith(")") && {
    val depths = sql.init.scanLeft(0) {
      case (depth, '(') => depth + 1
      case (depth, ')') => depth - 1
      case (depth, _) => depth
    }
    // Parentheses in string literals are counted too, which may make the result wrong. If it is
    // false, the text only keeps its outer parentheses.
    depths.drop(1).forall(_ > 0)
  }
}
