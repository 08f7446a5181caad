// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import io.sparksieve.advice.layout.{Layout, Shares, Statement, TableSize}

/**
 * How the tables of some queries should be laid out so that the queries read less.
 *
 * @param scope
 *   whether the queries are one query, or all that have run in the session
 * @param seconds
 *   the time of all runs of the queries; None if none is known
 */
private[sparksieve] final case class Advice(
    scope: Advice.Scope,
    queries: Seq[AdvisedQuery],
    tables: Seq[TableAdvice]) {

  def seconds: Option[Double] = {
    val known = queries.flatMap(_.seconds)
    if (known.isEmpty) None else Some(known.sum)
  }
}

private[sparksieve] object Advice {

  sealed abstract class Scope(val name: String)

  object Scope {
    case object Query extends Scope("query")
    case object Session extends Scope("session")
  }
}

/**
 * @param id
 *   from 1, in the order in which the queries ran first
 * @param text
 *   a short description: the tables and their predicates
 * @param runs
 *   the number of runs in this session
 * @param seconds
 *   the time of these runs; None if the query has not run
 */
private[sparksieve] final case class AdvisedQuery(
    id: Int,
    text: String,
    runs: Int,
    seconds: Option[Double])

/**
 * What a query reads of a table.
 *
 * @param query
 *   the id of the query
 * @param weight
 *   the query's share of the time of all queries that read the table
 * @param predicates
 *   the predicates that can skip data, as SQL
 * @param keys
 *   the columns for which a run collected keys, with the number of ranges: `k in 12 ranges`
 * @param unused
 *   the predicates that cannot skip data, as SQL
 */
private[sparksieve] final case class QueryRead(
    query: Int,
    weight: Double,
    predicates: Seq[String],
    keys: Seq[String],
    unused: Seq[String],
    today: Shares)

/**
 * The advice about one table.
 *
 * @param table
 *   its name, or its paths
 * @param format
 *   parquet, delta, iceberg, or the name of a source that is not supported
 * @param outcome
 *   whether a layout is better, the present one is good, or no advice can be given
 * @param reason
 *   why, in one sentence
 * @param size
 *   the table today; None if declined
 * @param sampleRows
 *   the rows in the sample by which layouts were predicted
 * @param today
 *   what the queries read, weighted; None if declined
 * @param layouts
 *   the candidates, the best first
 * @param picture
 *   the ranges of a column in the files, today and after; None if there is no candidate
 */
private[sparksieve] final case class TableAdvice(
    table: String,
    format: String,
    outcome: TableAdvice.Outcome,
    reason: String,
    size: Option[TableSize] = None,
    partitionColumns: Seq[String] = Nil,
    sampleRows: Long = 0,
    queries: Seq[QueryRead] = Nil,
    today: Option[Shares] = None,
    layouts: Seq[LayoutAdvice] = Nil,
    picture: Option[Picture] = None,
    notes: Seq[String] = Nil) {

  /** The bytes that the best layout saves in a run of each query. */
  def savedBytes: Double =
    layouts.headOption.fold(0.0)(_.gain) * size.fold(0.0)(_.bytes.toDouble)
}

private[sparksieve] object TableAdvice {

  sealed abstract class Outcome(val name: String, val order: Int)

  object Outcome {

    /** A better layout was found: the first of the layouts. */
    case object Rewrite extends Outcome("rewrite", 0)

    /** No candidate is clearly better than the present layout. */
    case object Good extends Outcome("good", 1)

    /** No advice can be given. */
    case object Declined extends Outcome("declined", 2)
  }

  def declined(table: String, format: String, reason: String): TableAdvice =
    TableAdvice(table, format, Outcome.Declined, reason)
}

/**
 * A candidate layout and what the queries would read of it.
 *
 * @param layout
 *   the kind and the columns
 * @param size
 *   the table after the rewrite, as predicted
 * @param read
 *   what the queries would read, weighted
 * @param gain
 *   by how much the share of the bytes that are read falls; negative if it rises
 * @param uncertainty
 *   by how much the gain may differ, up or down
 * @param bytesToRewrite
 *   the bytes that the statement reads and writes
 * @param statement
 *   what the user would run; Sieve never runs it
 * @param queries
 *   for each query id, what it would read
 */
private[sparksieve] final case class LayoutAdvice(
    layout: Layout,
    size: TableSize,
    read: Shares,
    gain: Double,
    uncertainty: Double,
    bytesToRewrite: Long,
    statement: Statement,
    queries: Seq[(Int, Shares)])

/**
 * The ranges of a column in the files, as a picture needs them: one bar for each file.
 *
 * @param column
 *   its name
 * @param low
 *   the least value in the table, as text
 * @param high
 *   the greatest value in the table, as text
 */
private[sparksieve] final case class Picture(
    column: String,
    low: String,
    high: String,
    today: Seq[Picture.Bar],
    after: Seq[Picture.Bar])

private[sparksieve] object Picture {

  /**
   * @param from
   *   where the file's minimum is between the least (0) and the greatest (1) value in the table
   * @param to
   *   where its maximum is
   * @param min
   *   the file's minimum as text
   * @param max
   *   its maximum as text
   */
  final case class Bar(from: Double, to: Double, min: String, max: String)
}
