// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import com.fasterxml.jackson.databind.ObjectMapper

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.sieve.OnThread
import org.apache.spark.sql.types.{DataType, StringType}

import io.sparksieve.compat.SparkCompat

/**
 * `sieve_json('<view name or SQL text>')`: everything that `sieve_report` (but for its rows about
 * scans), `sieve_explain`, `sieve_orders` and `sieve_scans` say of a query, as one JSON document, for
 * which the query is planned twice (with and without Sieve). The Python package makes its report
 * from it: in one query on Spark Connect, in none on classic PySpark, which calls [[ofQuery]] and
 * [[ofText]].
 */
private[sparksieve] object SieveJson extends QueryFunction {

  override val name = "sieve_json"

  override val usage =
    "sieve_json('<view name or SQL text>') - all that Sieve can say about the query, as JSON"

  override val columns: Seq[(String, DataType)] = Seq("json" -> StringType)

  private val mapper = new ObjectMapper

  override def of(session: SparkSession, execution: QueryExecution): Seq[Seq[Any]] =
    Seq(Seq(json(session, execution)))

  /**
   * The report of a query that may have been planned or run; null if its session runs without Sieve.
   *
   * @throws IllegalArgumentException
   *   if the query reads a stream
   */
  def ofQuery(query: QueryExecution): String = {
    val session: SparkSession = query.sparkSession
    within(session)(QueryText.batch(SparkCompat.plan(session, query.analyzed)))
  }

  /** The report of SQL text, or of the view or table with this name; null as for [[ofQuery]]. */
  def ofText(session: SparkSession, text: String): String =
    within(session)(QueryText.plan(session, text))

  private def within(session: SparkSession)(execution: => QueryExecution): String = {
    // A look-up by name differs between Spark lines.
    val isActive =
      SparkCompat.tableFunctions(session).listFunction().exists(_.funcName == name)
    if (isActive) OnThread.active(session)(json(session, execution)) else null
  }

  private def json(session: SparkSession, execution: QueryExecution): String = {
    val (rules, scans) = SieveReport.rulesAndScans(session, execution)
    val parts = Seq(
      "rows" -> (SieveReport -> SieveReport.numbered(rules)),
      "plans" -> (SieveExplain -> SieveExplain.of(session, execution)),
      "orders" -> (SieveOrders -> SieveOrders.of(session, execution)),
      "scans" -> (SieveScans -> SieveScans.rowsOf(scans))
    )
    val document = mapper.createObjectNode()
    parts.foreach { case (part, (function, rows)) =>
      val array = document.putArray(part)
      rows.foreach { row =>
        val fields = array.addObject()
        function.columns.map(_._1).zip(row).foreach { case (column, value) =>
          fields.putPOJO(column, value)
        }
      }
    }
    mapper.writeValueAsString(document)
  }
}
