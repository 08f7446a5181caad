// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.{FunctionIdentifier, InternalRow}
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry.TableFunctionBuilder
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression, ExpressionInfo}
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan}
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.types.{DataType, StringType}
import org.apache.spark.unsafe.types.UTF8String

/** A table function of Sieve, whose rows are computed when the call is analysed. */
private[sql] abstract class SieveTableFunction {

  def name: String

  /** The form of a call and its purpose, for `DESCRIBE FUNCTION` and for errors. */
  def usage: String

  def columns: Seq[(String, DataType)]

  /**
   * The rows, with one value per column, in Java and Scala types.
   *
   * @throws IllegalArgumentException
   *   if the arguments do not match [[usage]]
   */
  protected def rows(session: SparkSession, arguments: Seq[Expression]): Seq[Seq[Any]]

  /** The argument of [[org.apache.spark.sql.SparkSessionExtensions.injectTableFunction]]. */
  def describe: (FunctionIdentifier, ExpressionInfo, TableFunctionBuilder) = (
    FunctionIdentifier(name),
    info,
    (arguments: Seq[Expression]) => answer(rows(SparkSession.active, arguments)))

  // The longest constructor, because Spark's shorter constructors are deprecated.
  private def info =
    new ExpressionInfo(getClass.getName, null, name, usage, "", "", "", "", "", "", "scala_udf")

  /** The one string argument of a call. */
  protected def text(arguments: Seq[Expression]): String = arguments match {
    case Seq(one) if one.foldable && one.dataType == StringType && one.eval() != null =>
      one.eval().toString
    case _ => throw new IllegalArgumentException(s"$name takes one string: $usage")
  }

  private def answer(rows: Seq[Seq[Any]]): LogicalPlan =
    LocalRelation(
      columns.map { case (column, dataType) => AttributeReference(column, dataType)() },
      rows.map { row =>
        InternalRow.fromSeq(row.map {
          case s: String => UTF8String.fromString(s)
          case other => other
        })
      }
    )
}

/** A table function about one query, which it plans and does not run. */
private[sql] abstract class QueryFunction extends SieveTableFunction {

  /**
   * The rows about a query.
   *
   * @param execution
   *   the analyzed query, not planned yet
   */
  def of(session: SparkSession, execution: QueryExecution): Seq[Seq[Any]]

  override protected def rows(session: SparkSession, arguments: Seq[Expression]): Seq[Seq[Any]] =
    of(session, QueryText.plan(session, text(arguments)))
}
