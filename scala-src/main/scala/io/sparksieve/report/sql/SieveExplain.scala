package io.sparksieve.report.sql

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.{DataType, StringType}

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf

/**
 * `sieve_explain('<view name or SQL text>')`: the query's plans without and with Sieve, side by
 * side. The query is not run.
 */
private[sparksieve] object SieveExplain extends SieveTableFunction {

  override val name = "sieve_explain"

  override val usage =
    "sieve_explain('<view name or SQL text>') - the plans of the query without and with Sieve"

  override val columns: Seq[(String, DataType)] =
    Seq("stage", "before", "after").map(_ -> StringType)

  override protected def rows(session: SparkSession, arguments: Seq[Expression]): Seq[Seq[Any]] = {
    // Analysed once, so that both plans have the same column ids.
    val query = QueryText.plan(session, text(arguments)).analyzed
    val after = plans(session, query)
    val before = SieveConf.bypassing(plans(session, query))
    Seq("optimized", "physical").zip(before).zip(after).map { case ((stage, off), on) =>
      Seq(stage, off, on)
    }
  }

  private def plans(session: SparkSession, query: LogicalPlan): Seq[String] = {
    val execution = SparkCompat.plan(session, query)
    Seq(execution.optimizedPlan.treeString, execution.executedPlan.treeString)
  }
}
