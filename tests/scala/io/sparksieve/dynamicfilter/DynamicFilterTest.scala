// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.SparkConf
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart}
import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.SessionListeners

import io.sparksieve.SieveTest
import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.exec.{DynamicFilterExec, DynamicKeys}
import io.sparksieve.dynamicfilter.optimize.{DynamicFilter, InjectDynamicFilter}
import io.sparksieve.report.core.Reason
import io.sparksieve.scan.DynamicScanExec

/**
 * Creates the tables of the feature's suites, and checks that a query filters by keys and returns
 * the same rows as without Sieve.
 *
 *   - `big`: 20,000 rows in 8 files, clustered by `id`; `k` is id / 10, `s` a string of id, `d` the
 *     id as a double, `grp` one of 50
 *   - `small`: 1,000 rows whose ids are those of `big` up to 10,000, by tens; `dept` from 0 to
 *     99, each for ten consecutive rows
 */
trait DynamicFilterTest extends SieveTest with AdaptiveSparkPlanHelper {

  override protected def sparkConf: SparkConf =
    super.sparkConf
      // The gates only avoid filters that do not pay. The tables of tests are small.
      .set(SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key, "0")
      .set(SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key, "0")
      .set(SQLConf.SHUFFLE_PARTITIONS.key, "3")

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark
      .range(0, 20000, 1, 8)
      .selectExpr(
        "id",
        "cast(id / 10 AS INT) AS k",
        "concat('s', id) AS s",
        "cast(id AS DOUBLE) AS d",
        "cast(id % 50 AS INT) AS grp")
      .write
      .saveAsTable("big")
    spark
      .range(0, 1000, 1, 1)
      .selectExpr("id * 10 AS id", "cast(id / 10 AS INT) AS dept", "concat('s', id * 10) AS s")
      .write
      .saveAsTable("small")
  }

  override def afterAll(): Unit =
    try Seq("big", "small").foreach(t => sql(s"DROP TABLE IF EXISTS $t"))
    finally super.afterAll()

  protected val Document =
    "SELECT big.id, big.s, small.dept FROM big JOIN small ON big.id = small.id WHERE small.dept = 7"

  /** Runs `body` with joins that shuffle. */
  protected def shuffled[T](body: => T): T =
    withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1")(body)

  /** A query that was run, with its rows. */
  protected final class Ran(val df: DataFrame, val rows: Seq[Row]) {

    def plan: SparkPlan = df.queryExecution.executedPlan

    def filters: Seq[DynamicFilterExec] =
      collectWithSubqueries(plan) { case f: DynamicFilterExec => f }

    def scans: Seq[DynamicScanExec] =
      collectWithSubqueries(plan) { case s: DynamicScanExec => s }

    /** The input rows of all filters together. */
    def rowsIn: Long = filters.map(_.metrics("numInputRows").value).sum

    def rowsOut: Long = filters.map(_.metrics("numOutputRows").value).sum

    def metric(name: String): Long = scans.map(_.metrics(name).value).sum

    /** The number of keys of each filter. */
    def keys: Seq[Long] = filters.map { f =>
      f.source match {
        case keys: DynamicKeys => keys.subquery.metrics("numKeys").value
        case other => fail(s"no keys: $other\n$plan")
      }
    }

    def kinds: Seq[String] = filters.map(_.learnedFrom.kind)
  }

  protected def run(query: => DataFrame): Ran = {
    val df = query
    val rows = notFailingToCompile(df.collect().toSeq)
    new Ran(df, rows)
  }

  /** Runs the query, and compares its rows with those without Sieve. */
  protected def checked(query: => DataFrame): Ran = {
    val ran = run(query)
    QueryTest.sameRows(off(query), ran.rows).foreach(d => fail(s"$d\n${ran.plan}"))
    ran
  }

  /** Like [[checked]], and asserts that rows were filtered by keys. */
  protected def assertFiltered(query: => DataFrame): Ran = filteredBy(query)(checked(query))

  /** Runs the query, and asserts that rows were filtered by keys and that the rows are `expected`. */
  protected def assertFilteredTo(expected: Seq[Row])(query: => DataFrame): Ran = {
    val ran = filteredBy(query)(run(query))
    QueryTest.sameRows(expected, ran.rows).foreach(d => fail(s"$d\n${ran.plan}"))
    ran
  }

  private def filteredBy(query: => DataFrame)(execute: => Ran): Ran = {
    val (plan, entries) = planned(query)
    assertApplied(InjectDynamicFilter.Name, entries, plan)
    assert(plan.exists(_.isInstanceOf[DynamicFilter]), plan)
    val ran = execute
    assert(ran.filters.nonEmpty, ran.plan)
    ran
  }

  /** Asserts that the rule reports this reason, adds no filter, and that the rows are right. */
  protected def assertLeft(reason: Reason)(query: => DataFrame): Unit = {
    val (plan, entries) = planned(query)
    val mine = entries.filter(_.rule == InjectDynamicFilter.Name)
    assert(mine.exists(_.reason.contains(reason)), s"$mine\n$plan")
    assert(!plan.exists(_.isInstanceOf[DynamicFilter]), plan)
    checked(query)
    ()
  }

  /** The number of jobs that `body` starts. */
  protected def jobs(body: => Unit): Int = {
    val started = new AtomicInteger
    val listener = new SparkListener {
      override def onJobStart(start: SparkListenerJobStart): Unit = {
        started.incrementAndGet()
        ()
      }
    }
    SessionListeners.await(spark, 10000)
    spark.sparkContext.addSparkListener(listener)
    try {
      body
      SessionListeners.await(spark, 10000)
    } finally spark.sparkContext.removeSparkListener(listener)
    started.get
  }

  protected def withoutSieve[T](body: => T): T =
    withConf(SieveConf.ENABLED.key -> "false")(body)
}
