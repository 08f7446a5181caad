// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.types._

import io.sparksieve.pushdown.ExplainScans
import io.sparksieve.report.core.ExplainedScan

/**
 * `sieve_scans('<view name or SQL text>')`: each predicate of each scan of the query, and the
 * layers that handle it, as in `sieve_report` but with a column for each part. The query is not
 * run. If it has been run in this session, the row counts of its last run are included.
 */
private[sparksieve] object SieveScans extends QueryFunction {

  override val name = "sieve_scans"

  override val usage =
    "sieve_scans('<view name or SQL text>') - which layer deals with which predicate of each scan"

  override val columns: Seq[(String, DataType)] = Seq(
    "scan" -> IntegerType,
    "source" -> StringType,
    "place" -> StringType,
    "predicate" -> StringType,
    "layers" -> StringType,
    "reason" -> StringType,
    "detail" -> StringType,
    "remedy" -> StringType,
    "rows_read" -> LongType,
    "rows_kept" -> LongType
  )

  override def of(session: SparkSession, execution: QueryExecution): Seq[Seq[Any]] = {
    val (_, scans) = explained(session, execution)(execution.executedPlan)
    rowsOf(scans)
  }

  private[sql] def rowsOf(scans: Seq[ExplainedScan]): Seq[Seq[Any]] =
    for {
      (scan, i) <- scans.zipWithIndex
      p <- scan.predicates
    } yield Seq[Any](
      i + 1,
      scan.source,
      scan.place,
      p.sql,
      p.layers,
      p.reason.orNull,
      p.detail,
      p.remedy.orNull,
      scan.rows.map(_.read).getOrElse(null),
      scan.rows.map(_.kept).getOrElse(null)
    )

  /** Evaluates `planned`, which plans `execution`, and explains the scans of its plan. */
  private[report] def explained[T](session: SparkSession, execution: QueryExecution)(
      planned: => T): (T, Seq[ExplainedScan]) = {
    val run = RunListener.settled(session).toSeq.flatMap(_.scans(execution))
    new ExplainScans(session)(execution, run)(planned)
  }
}
