// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.types.{DataType, StringType}

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf

/**
 * `sieve_explain('<view name or SQL text>')`: the query's plans without and with Sieve, side by
 * side. The query is not run.
 */
private[sparksieve] object SieveExplain extends QueryFunction {

  override val name = "sieve_explain"

  override val usage =
    "sieve_explain('<view name or SQL text>') - the plans of the query without and with Sieve"

  override val columns: Seq[(String, DataType)] =
    Seq("stage", "before", "after").map(_ -> StringType)

  override def of(session: SparkSession, execution: QueryExecution): Seq[Seq[Any]] = {
    val after = plans(execution)
    // From the same analyzed plan, so that both plans have the same column ids.
    val before = SieveConf.bypassing(plans(SparkCompat.plan(session, execution.analyzed)))
    Seq("optimized", "physical").zip(before).zip(after).map { case ((stage, off), on) =>
      Seq(stage, off, on)
    }
  }

  private def plans(execution: QueryExecution): Seq[String] =
    Seq(execution.optimizedPlan.treeString, execution.executedPlan.treeString)
}
