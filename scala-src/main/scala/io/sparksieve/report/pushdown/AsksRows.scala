package io.sparksieve.report.pushdown

import org.apache.spark.sql.catalyst.expressions.{Expression, LeafExpression, Unevaluable}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types.DataType

/** An operator of Sieve that drops the rows for which a predicate is not true. */
trait AsksRows { self: SparkPlan =>

  /** The predicate, for reports; it need not be one that can be evaluated. */
  def asked: Expression

  /** How many rows passed in a run; None if they were not counted. */
  def rowsKept: Option[Long]
}

/** An operator of Sieve that stands over a scan, gives its rows, and makes it read fewer. */
trait NarrowsScan { self: SparkPlan => }

/** Stands in a predicate for what is known only when the query runs. */
final case class AtRunTime(words: String, dataType: DataType)
    extends LeafExpression
    with Unevaluable {
  override def nullable: Boolean = true
  override def sql: String = words
}
