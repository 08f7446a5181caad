package io.sparksieve.common

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Project}

/**
 * Builds expressions for every function of Spark's registry. Each function is called with a column
 * of a palette in one or two places and constants in the others. The calls that Spark can resolve
 * are kept, with each [[RuntimeReplaceable]] replaced by its replacement.
 */
object RegistryExpressions {

  /** The names of all built-in functions, including operators and `cast`. */
  def names: Seq[String] =
    FunctionRegistry.builtin.listFunction().map(_.funcName).distinct.sorted

  /** Constants for the arguments that are not columns of the palette. */
  private val constants: Seq[Expression] =
    Seq(Literal(1), Literal("a"), Literal(2.0d), Literal(-1.0d))

  /** The calls of function `name` with up to three arguments that Spark resolves, by column. */
  def calls(
      spark: SparkSession,
      name: String,
      palette: Seq[Attribute]): Seq[(Attribute, Expression)] = for {
    column <- palette
    arguments <- lists(column)
    call <- Try(
      FunctionRegistry.builtin.lookupFunction(FunctionIdentifier(name), arguments)).toOption
    resolved <- resolve(spark, call, palette)
  } yield column -> resolved

  private def lists(column: Attribute): Seq[Seq[Expression]] =
    Seq(Seq(column), Seq(column, column)) ++
      constants.flatMap(c => Seq(Seq(column, c), Seq(c, column))) ++
      constants.flatMap { c =>
        Seq(Seq(column, c, c), Seq(Literal(true), column, c), Seq(c, column, column))
      }

  /** `e` over the columns of `palette`, if Spark's analyzer accepts it and it is no aggregate. */
  def resolve(spark: SparkSession, e: Expression, palette: Seq[Attribute]): Option[Expression] =
    try {
      val plan = spark.sessionState.analyzer.execute(
        Project(Seq(Alias(e, "value")()), LocalRelation(palette)))
      spark.sessionState.analyzer.checkAnalysis(plan)
      projected(plan).map(replaced)
    } catch { case NonFatal(_) | _: LinkageError => None }

  private def projected(plan: LogicalPlan): Option[Expression] = plan match {
    case Project(Seq(Alias(value, _)), _: LocalRelation) => Some(value)
    case _ => None
  }

  private def replaced(e: Expression): Expression = e.transformUp {
    case shorthand: RuntimeReplaceable => shorthand.replacement
  }
}
