// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import scala.util.{Failure, Success, Try}

import org.apache.spark.SparkConf
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.{SieveTest, TestedLine}
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason
import io.sparksieve.setop.rewrite.SessionRewriteSetOperations

/**
 * Small tables with values that are difficult for set operations, and assertions that the suites of
 * the feature share.
 *
 *   - `t` (Parquet): integers with NULLs and many duplicates; `c` and `s` are nullable
 *   - `z` (CSV): doubles with 0.0, -0.0, NaN, NULL, and `k`, which is unique
 *   - `cc` (Parquet, Spark 4 only): strings of a collation that ignores case
 */
trait SetOpTest extends SieveTest {

  // There are hundreds of tiny queries: to compile each would take longer than to run it.
  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key, "false")
      // Dynamic filters of the same joins are tested in their own suites.
      .set(SieveConf.DYNAMIC_FILTER_ENABLED.key, "false")
      .set(SQLConf.CODEGEN_FACTORY_MODE.key, "NO_CODEGEN")
      .set(SQLConf.SHUFFLE_PARTITIONS.key, "2")

  protected val collations: Boolean = TestedLine.atLeast("4.0")

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("""CREATE TABLE t USING parquet AS
      SELECT cast(id % 7 AS INT) a, cast(id % 5 AS INT) b,
             CASE WHEN id % 11 = 0 THEN NULL ELSE cast(id % 3 AS INT) END c,
             CASE WHEN id % 6 = 0 THEN NULL ELSE concat('s', id % 4) END s
      FROM range(0, 200, 1, 1)""")
    // Not Parquet: it loses rows if comparisons of floats are pushed, so rewrites are declined.
    sql("""CREATE TABLE z USING csv AS SELECT /*+ COALESCE(1) */ * FROM VALUES
      (0.0D, 1), (-0.0D, 2), (double('NaN'), 3), (NULL, 4), (1.5D, 5), (-0.0D, 6), (1.5D, 7)
      AS z(d, k)""")
    if (collations) {
      sql("CREATE TABLE cc (c STRING COLLATE UTF8_LCASE, b INT) USING parquet")
      sql("INSERT INTO cc VALUES ('a', 1), ('A', 2), ('b', 3), (NULL, 4), ('B', 5), ('a', 6)")
    }
  }

  override def afterAll(): Unit =
    try {
      sql("DROP TABLE IF EXISTS t")
      sql("DROP TABLE IF EXISTS z")
      sql("DROP TABLE IF EXISTS cc")
    } finally super.afterAll()

  /** Asserts that no rule reports on the query: none was applied, and none declined. */
  protected def assertSilent(query: => DataFrame): Unit = {
    val (plan, entries) = planned(query)
    assert(entries.isEmpty, plan)
    checkAnswer(query, off(query))
  }

  /** Asserts that the rule changes the plan, and returns its own result as the same instance. */
  protected def assertIdempotent(query: DataFrame): Unit = {
    val rule = SessionRewriteSetOperations(spark)
    val once = rule(query.queryExecution.analyzed)
    assert(once ne query.queryExecution.analyzed, once)
    assert(rule(once) eq once, once)
  }

  /** Asserts that the rule returns the same plan instance. */
  protected def assertSameInstance(query: DataFrame): Unit = {
    val plan = query.queryExecution.analyzed
    assert(SessionRewriteSetOperations(spark)(plan) eq plan)
  }

  /** Asserts that the rows with Sieve are `right`, and that Spark alone fails or is wrong. */
  protected def assertCorrects(right: Row*)(query: => DataFrame): Unit = {
    assert(failsOrDiffers(query, right), "Spark alone is right: the case proves nothing")
    checkAnswer(query, right)
  }

  private def failsOrDiffers(query: => DataFrame, right: Seq[Row]): Boolean =
    try {
      val rows = off(query)
      rows.map(_.toString).sorted != right.map(_.toString).sorted
    } catch { case _: Exception => true }

  /**
   * Asserts that the query returns the same rows with Sieve. If Spark alone fails, the query may
   * fail with Sieve too, but only with the same error condition. False if Spark alone fails.
   */
  protected def sameOrBothFail(query: String): Boolean = Try(off(sql(query))) match {
    case Success(rows) =>
      withClue(query)(checkAnswer(sql(query), rows))
      true
    case Failure(without) =>
      Try(sql(query).collect()).failed.foreach(e =>
        assert(errorCondition(e) == errorCondition(without), query))
      false
  }

  private def errorCondition(e: Throwable): String =
    causes(e)
      .flatMap(c => Option(c.getMessage))
      .flatMap("\\[([A-Z_.]+)\\]".r.findFirstMatchIn(_).map(_.group(1)))
      .headOption
      .getOrElse(causes(e).last.toString.replaceAll("[0-9]+", "#"))

  /** The number of leaves of the optimized plan. */
  protected def scans(query: => DataFrame): Int =
    planned(query)._1.collectLeaves().length

  protected def assertNoJoin(query: => DataFrame): Unit = {
    val plan = planned(query)._1
    assert(!plan.exists(_.isInstanceOf[Join]), plan)
  }

  /** Runs `body` without broadcasts, so that small tables exercise shuffles and their reuse. */
  protected def withoutBroadcast(body: => Unit): Unit =
    withSQLConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1")(body)

  /** Runs `body` without the counting rewrite, to see the verdicts of the filter rules. */
  protected def withoutCounting(body: => Unit): Unit =
    withSQLConf(SieveConf.SETOP_COUNTING_ENABLED.key -> "false")(body)

  /** The outcomes of `rule`: a reason, or None if it was applied. */
  protected def verdicts(rule: String)(query: => DataFrame): Seq[Option[Reason]] =
    planned(query)._2.filter(_.rule == rule).map(_.reason)
}
