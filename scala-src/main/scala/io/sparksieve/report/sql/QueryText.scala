// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.QueryExecution

import io.sparksieve.compat.SparkCompat

/** The query that a report is about: the name of a view or table, or SQL text. */
private[sql] object QueryText {

  /**
   * Analyses the query without running it; a command is not run either.
   *
   * @throws org.apache.spark.sql.AnalysisException
   *   Spark's own error if the text is not a query, or names an object that does not exist
   * @throws IllegalArgumentException
   *   if the query reads a stream, which has no plan before it is started
   */
  def plan(session: SparkSession, text: String): QueryExecution =
    batch(SparkCompat.plan(session, parse(session, text)))

  /**
   * The query, unless it reads a stream.
   *
   * @throws IllegalArgumentException
   *   if it does
   */
  def batch(execution: QueryExecution): QueryExecution = {
    if (execution.analyzed.isStreaming) {
      throw new IllegalArgumentException(
        "A streaming query has no plan before it is started; report on its batch form instead.")
    }
    execution
  }

  private def parse(session: SparkSession, text: String): LogicalPlan = {
    val parser = SparkCompat.parser(session)
    val name =
      try Some(parser.parseMultipartIdentifier(text.trim))
      catch { case _: ParseException => None }
    name.map(UnresolvedRelation(_)).getOrElse(parser.parsePlan(text))
  }
}
