// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser

/**
 * A table as it can be found again, without a reference to a plan.
 *
 * @param format
 *   the name of the source
 * @param name
 *   the name in a catalog; None for files that are read by their paths
 * @param paths
 *   of the files that are read
 * @param options
 *   of the reader
 */
private[sparksieve] final case class TableRef(
    format: String,
    name: Option[String],
    paths: Seq[String] = Nil,
    options: Map[String, String] = Map.empty) {

  def text: String = name.getOrElse(paths.mkString(", "))

  /** The parts of the name. */
  def parts: Seq[String] = name.toSeq.flatMap(CatalystSqlParser.parseMultipartIdentifier)
}

/** @param ranges disjoint, ascending ranges of codes that cover the collected keys */
private[sparksieve] final case class ColumnKeys(column: String, ranges: Seq[(AnyRef, AnyRef)]) {

  def text: String = ranges.size match {
    case 1 => s"$column in 1 range"
    case n => s"$column in $n ranges"
  }
}

/**
 * A scan of a table in a query.
 *
 * @param predicates
 *   the conjuncts on the table's columns; none has a subquery
 */
private[sparksieve] final case class TableRead(
    table: TableRef,
    predicates: Seq[Expression],
    keys: Seq[ColumnKeys])

/**
 * A query and the tables that it reads.
 *
 * @param seconds
 *   the time of all runs; None if the query has not run
 */
private[sparksieve] final case class QueryReads(
    text: String,
    reads: Seq[TableRead],
    runs: Int,
    seconds: Option[Double])
