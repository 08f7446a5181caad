// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import org.apache.spark.sql.catalyst.expressions.{Expression, LeafExpression, Unevaluable}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types.DataType

/** An operator of Sieve that drops the rows for which a predicate is not true. */
private[sparksieve] trait RowFilterExec { self: SparkPlan =>

  /** The predicate; it may be an unevaluable expression that only reports show. */
  def predicate: Expression

  /** The number of rows that passed in a run; None if they were not counted. */
  def rowsKept: Option[Long]
}

/** An operator of Sieve above a scan that prunes the scan and returns its rows. */
private[sparksieve] trait PrunesScan { self: SparkPlan => }

/** A placeholder in a predicate for a value that is known only when the query runs. */
private[sparksieve] final case class AtRunTime(words: String, dataType: DataType)
    extends LeafExpression
    with Unevaluable {
  override def nullable: Boolean = true
  override def sql: String = words
}
