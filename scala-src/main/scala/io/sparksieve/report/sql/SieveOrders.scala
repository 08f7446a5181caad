// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.types._

/**
 * `sieve_orders('<view name or SQL text>')`: the orders in which the adaptive filters of a query
 * evaluated their predicates in its last run in this session. There is one row for each predicate
 * at each moment at which an executor changed the order, and at the end of each task.
 */
private[sparksieve] object SieveOrders extends QueryFunction {

  override val name = "sieve_orders"

  override val usage =
    "sieve_orders('<view name or SQL text>') - the orders of predicates in the query's last run"

  override val columns: Seq[(String, DataType)] = Seq(
    "place" -> StringType,
    "executor" -> StringType,
    "at_ms" -> LongType,
    "predicate" -> StringType,
    "written" -> IntegerType,
    "position" -> IntegerType,
    "pass_rate" -> DoubleType,
    "nanos" -> DoubleType
  )

  override def of(session: SparkSession, execution: QueryExecution): Seq[Seq[Any]] = {
    val moments = RunListener.settled(session).toSeq.flatMap(_.moments(execution))
    val start = if (moments.isEmpty) 0L else moments.map(_.millis).min
    moments.map { m =>
      Seq[Any](
        m.place,
        m.executor,
        m.millis - start,
        m.predicate,
        m.written,
        m.position,
        m.passRate.getOrElse(null),
        m.nanos.getOrElse(null))
    }
  }
}
