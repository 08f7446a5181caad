// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, Project}

/**
 * Builds expressions for every function of Spark's registry. Each function is called with a column
 * of a palette in one or two places and constants in the others. The calls that Spark can resolve
 * are kept, with each [[RuntimeReplaceable]] replaced by its replacement.
 */
object RegistryExpressions {

  /** The names of all functions built into Spark, including operators and `cast`. */
  def names: Seq[String] =
    FunctionRegistry.builtin
      .listFunction()
      // A session with Sieve in the same JVM has added its own.
      .filterNot(FunctionRegistry.builtin.lookupFunction(_).exists(isOfSieve))
      .map(_.funcName)
      .distinct
      .sorted

  private def isOfSieve(info: ExpressionInfo) = info.getClassName.startsWith("io.sparksieve.")

  /** Constants for the arguments that are not columns of the palette. */
  private val constants: Seq[Expression] =
    Seq(Literal(1), Literal("a"), Literal(2.0d), Literal(-1.0d))

  /** The calls of function `name` with up to three arguments that Spark resolves, by column. */
  def calls(
      spark: SparkSession,
      name: String,
      palette: Seq[Attribute]): Seq[(Attribute, Expression)] = for {
    column <- palette
    calls = lists(column).flatMap { arguments =>
      Try(FunctionRegistry.builtin.lookupFunction(FunctionIdentifier(name), arguments)).toOption
    }
    resolved <- resolve(spark, calls, column)
  } yield column -> resolved

  private def lists(column: Attribute): Seq[Seq[Expression]] =
    Seq(Seq(column), Seq(column, column)) ++
      constants.flatMap(c => Seq(Seq(column, c), Seq(c, column))) ++
      constants.flatMap { c =>
        Seq(Seq(column, c, c), Seq(Literal(true), column, c), Seq(c, column, column))
      }

  /**
   * Those of `calls` that Spark's analyzer accepts over `column` and that are no aggregates. One
   * plan has all calls, because the analyzer's time depends on the number of plans. If it refuses
   * the plan, or makes another plan of it, it gets each half of the calls.
   */
  private def resolve(
      spark: SparkSession,
      calls: Seq[Expression],
      column: Attribute): Seq[Expression] = {
    val analyzer = spark.sessionState.analyzer
    val relation = LocalRelation(column)
    // The error of a call of wrong types, which writes the whole call, takes longer than the check.
    def accepts(value: NamedExpression) =
      if (value.resolved) succeeds(analyzer.checkAnalysis(Project(Seq(value), relation))) else None
    def analyzed = analyzer.execute(Project(calls.map(Alias(_, "value")()), relation))
    succeeds(analyzed) match {
      case Some(Project(values, _: LocalRelation)) if values.length == calls.length =>
        values.filter(accepts(_).nonEmpty).collect { case Alias(e, _) => replaced(e) }
      case _ if calls.length < 2 => Nil
      case _ =>
        val (some, others) = calls.splitAt(calls.length / 2)
        resolve(spark, some, column) ++ resolve(spark, others, column)
    }
  }

  private def succeeds[T](result: => T): Option[T] =
    try Some(result)
    catch { case NonFatal(_) | _: LinkageError => None }

  private def replaced(e: Expression): Expression = e.transformUp {
    case shorthand: RuntimeReplaceable => shorthand.replacement
  }
}
