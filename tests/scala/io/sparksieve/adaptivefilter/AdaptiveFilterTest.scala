// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveTest
import io.sparksieve.adaptivefilter.exec.AdaptiveFilter
import io.sparksieve.adaptivefilter.learn.{FilterRunHistory, FilterStates}
import io.sparksieve.adaptivefilter.plan.PlanAdaptiveFilter
import io.sparksieve.compat.SparkCompat
import io.sparksieve.report.core.{Reason, Report}

/**
 * Creates a table of logs, and checks that a query's filter is adaptive and that its rows are the
 * same as without Sieve.
 *
 *   - `logs`: 20,000 rows in 4 Parquet files; `id`, `hour` (0 to 23), `cpu` and `memory` (0 to 99,
 *     `memory` NULL for every 11th), `s` a number as text or, for every 5th, a word; `d` from -10
 *     to 9, `day` one of 100 days
 */
trait AdaptiveFilterTest extends SieveTest with AdaptiveSparkPlanHelper {

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark
      .range(0, 20000, 1, 4)
      .selectExpr(
        "id",
        "cast(id * 7 % 24 AS INT) AS hour",
        "cast(id * 31 % 100 AS INT) AS cpu",
        "if(id % 11 = 0, NULL, cast(id * 17 % 100 AS INT)) AS memory",
        "if(id % 5 = 0, 'word', cast(id % 1000 AS STRING)) AS s",
        "cast(id % 20 - 10 AS INT) AS d",
        "date_add(DATE'2020-01-01', cast(id % 100 AS INT)) AS day"
      )
      .write
      .saveAsTable("logs")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS logs")
    finally super.afterAll()

  // On a busy machine the runs of one test may be long enough to say that the order gains little.
  override def beforeEach(): Unit = {
    super.beforeEach()
    FilterRunHistory.clear()
  }

  /** An expensive predicate that drops nothing, before cheap ones: it goes last at any timing. */
  protected val Mixed =
    "SELECT id, memory FROM logs " +
      "WHERE length(sha2(s, 512)) = 128 AND memory > 60 AND cpu > 30 AND hour > 7"

  /** A query that was run, with its rows. */
  protected final class Ran(val df: DataFrame, val rows: Seq[Row]) {

    def plan: SparkPlan = df.queryExecution.executedPlan

    def filters: Seq[AdaptiveFilter] =
      collectWithSubqueries(plan) { case f: AdaptiveFilter => f }

    def plain: Seq[FilterExec] = collectWithSubqueries(plan) { case f: FilterExec => f }

    def metric(name: String): Long = filters.map(_.metrics(name).value).sum
  }

  /** Runs the query, and compares its rows with those without Sieve. */
  protected def checked(query: => DataFrame): Ran = {
    val df = query
    val rows = notFailingToCompile(df.collect().toSeq)
    val ran = new Ran(df, rows)
    QueryTest.sameRows(off(query), rows).foreach(d => fail(s"$d\n${ran.plan}"))
    ran
  }

  /** Like [[checked]], and asserts that filters are adaptive. */
  protected def assertAdaptive(query: => DataFrame): Ran = {
    val ran = checked(query)
    assert(ran.filters.nonEmpty, ran.plan)
    assert(ran.metric("numOutputRows") > 0, ran.plan)
    ran
  }

  /** Asserts that the filter is adaptive and its rows are right, both returned and aggregated. */
  protected def assertGuarded(where: String): Unit = {
    FilterStates.clear()
    assertAdaptive(sql(s"SELECT * FROM logs WHERE $where"))
    // An aggregate reads all rows, so predicates may be evaluated ahead for whole batches.
    assertAdaptive(sql(s"SELECT count(*), max(s) FROM logs WHERE $where"))
  }

  /** Asserts that a cast in the condition fails, both with Sieve and without. */
  protected def assertCastFails(where: String): Unit =
    withConf(SQLConf.ANSI_ENABLED.key -> "true") {
      for (on <- Seq("true", "false"))
        withConf("spark.sieve.enabled" -> on) {
          val e = intercept[Exception](sql(s"SELECT * FROM logs WHERE $where").collect())
          assert(e.toString.contains("CAST_INVALID_INPUT"), e)
        }
    }

  /** What the rule reports when the query is planned. */
  protected def verdicts(query: => DataFrame): Seq[Report.Entry] = {
    val execution = SparkCompat.plan(spark, query.queryExecution.analyzed)
    Report.collecting(execution.executedPlan)._2.filter(_.rule == PlanAdaptiveFilter.Name)
  }

  /** Asserts that the rule reports this reason, Spark's filter stays, and the rows are right. */
  protected def assertLeft(reason: Reason)(query: => DataFrame): Unit = {
    val said = verdicts(query)
    assert(said.nonEmpty && said.forall(_.reason.contains(reason)), said)
    val ran = checked(query)
    assert(ran.filters.isEmpty && ran.plain.nonEmpty, ran.plan)
  }
}
