// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import scala.util.Try

import org.apache.spark.sql.{DataFrame, QueryTest}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.learn.FilterStates
import io.sparksieve.report.core.Reason

/**
 * Predicates that can fail or are random, in each way in which Spark evaluates a condition: Sieve
 * evaluates them for no row for which Spark does not.
 *
 * In the table `guarded`, `n` is a number as text where `c` is not NULL, else a word; `big` is the
 * greatest BIGINT in some rows; `k` is small; `days` are too late for timestamps where `s` is long.
 */
class EvaluationModesSuite extends AdaptiveFilterTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark
      .range(0, 3000, 1, 2)
      .selectExpr(
        "id",
        "if(id % 5 = 0, NULL, cast(id AS INT)) AS c",
        "if(id % 5 = 0, 'word', cast(id AS STRING)) AS n",
        "if(id % 7 = 0, 9223372036854775807L, id) AS big",
        "cast(id % 10 AS INT) AS k",
        "if(id % 3 = 0, 'a long text 17', cast(id AS STRING)) AS s",
        "array(date_from_unix_date(cast(if(id % 3 = 0, 2147483647, id) AS INT))) AS days"
      )
      .write
      .saveAsTable("guarded")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS guarded")
    finally super.afterAll()

  private val modes = Seq(
    "generated" -> Nil,
    "interpreted" -> Seq(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false"),
    "more columns than code is generated for" -> Seq(SQLConf.WHOLESTAGE_MAX_NUM_FIELDS.key -> "2"),
    "no generated code" -> Seq(SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN"),
    "methods that are too long" -> Seq(SQLConf.WHOLESTAGE_HUGE_METHOD_LIMIT.key -> "10")
  )

  /** Asserts in each mode that a query that succeeds without Sieve has the same rows with it. */
  private def assertNoNewError(
      query: => DataFrame,
      batches: Seq[String] = Seq("true", "false")): Seq[Ran] =
    for {
      (mode, settings) <- modes
      vectorized <- batches
      ran <- withConf(
        settings ++ Seq(
          SQLConf.ANSI_ENABLED.key -> "true",
          SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized): _*) {
        FilterStates.clear()
        Try(off(query)).toOption.map { expected =>
          val df = query
          val rows =
            try df.collect().toSeq
            catch {
              case e: Exception => fail(s"$mode, batches $vectorized: only with Sieve: $e", e)
            }
          QueryTest
            .sameRows(expected, rows)
            .foreach(d => fail(s"$mode, batches $vectorized: $d\n${df.queryExecution}"))
          new Ran(df, rows)
        }
      }
    } yield ran

  private def where(condition: String) = sql(s"SELECT id FROM guarded WHERE $condition")

  for (condition <- Seq(
      "c IS NOT NULL AND n LIKE '%1%2%' AND cast(n AS INT) > 1 AND s LIKE '%1%7'",
      "c IS NOT NULL AND cast(n AS INT) > 1 AND n LIKE '%1%'",
      "c IS NOT NULL AND cast(n AS INT) > 1 AND c % 7 < 5 AND n LIKE '%1%2%'",
      "c IS NOT NULL AND exists(array(c), x -> x > 3) AND n LIKE '%1%2%' AND cast(n AS INT) > 1",
      "n RLIKE '^[0-9]+$' AND s LIKE '%1%7' AND cast(n AS INT) > 1",
      "CASE WHEN c IS NULL THEN false ELSE true END AND n LIKE '%1%2%' AND cast(n AS INT) > 1 " +
        "AND upper(s) < 'B'",
      "k <> 0 AND 10 / k > 1 AND upper(s) < 'B'",
      "length(s) < 6 AND size(cast(days AS ARRAY<TIMESTAMP>)) > 0 AND s LIKE '%1%'"
    ))
    test(s"a guard before what can fail: $condition") {
      val runs = assertNoNewError(where(condition))
      assert(runs.exists(_.filters.nonEmpty))
      assert(runs.forall(_.rows.nonEmpty))
    }

  test("a check that can fail before what can fail") {
    val condition = "try_cast(n AS INT) IS NOT NULL AND n LIKE '%1%2%' AND cast(n AS INT) > 1"
    assert(assertNoNewError(where(condition)).nonEmpty)
    assertLeftUnderAnsi(Reason.GuardsDiffer)(
      "try_cast(n AS INT) IS NOT NULL AND n LIKE '%1%2%' AND cast(c AS TINYINT) > 1",
      fails = true)
  }

  test("a check that can fail and guards nothing") {
    val runs =
      assertNoNewError(
        where("n LIKE '%1%2%' AND upper(s) < 'B' AND try_cast(n AS INT) IS NOT NULL"))
    assert(runs.exists(_.filters.nonEmpty))
  }

  for (condition <- Seq(
      "c IS NOT NULL AND n LIKE '%1%' AND rand(3) < 0.5",
      "c % 3 = 1 AND n LIKE '%1%' AND rand(3) < 0.5 AND k > 3",
      "rand(3) < 0.5 AND n LIKE '%1%' AND c IS NOT NULL",
      "coalesce(c, NULL, k) > 3 AND nullif(k, 3) > 2 AND n LIKE '%1%' AND rand(3) < 0.5",
      "n LIKE '%1%' AND length(s) < 9 AND rand(3) < 0.5 AND monotonically_increasing_id() % 2 = 0"
    ))
    test(s"a random predicate is evaluated for the same rows: $condition") {
      assert(assertNoNewError(where(condition)).size == 2 * modes.size)
    }

  test("a random predicate behind predicates that are not NULL is adaptive") {
    val runs = assertNoNewError(
      where(
        "length(s) < 9 AND n LIKE '%1%2%' AND s IS NOT NULL AND n IS NOT NULL AND rand(3) < 0.5"))
    assert(runs.exists(_.filters.nonEmpty))
  }

  test("a column that is computed where it is read first") {
    def query = sql(
      "SELECT id, r FROM (SELECT id, n, s, cast(n AS INT) AS i, rand(1) AS r FROM guarded) " +
        "WHERE n RLIKE '^[0-9]+$' AND s LIKE '%1%7' AND i > 3")
    assert(assertNoNewError(query).nonEmpty)
    withConf(
      SQLConf.ANSI_ENABLED.key -> "true",
      SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false") {
      val said = verdicts(query)
      assert(said.exists(_.reason.contains(Reason.DeferredColumn)), said)
    }
  }

  for {
    residual <- Seq(
      "try_add(a.big, b.k) IS NOT NULL AND a.big + b.k > 5 AND concat(a.s, b.s) LIKE '%1%7%'",
      "try_add(a.big, b.k + 1) IS NOT NULL AND concat(a.s, b.s) LIKE '%1%7%' AND a.big + b.k + 1 > 5",
      "a.c + b.k IS NOT NULL AND cast(concat(a.n, b.k) AS BIGINT) > 5 AND concat(a.s, b.s) LIKE '%1%7%'",
      "try_divide(a.big, b.k) IS NOT NULL AND a.big / b.k > 0 AND concat(a.s, b.s) LIKE '%1%7%'"
    )
  }
    test(s"a join's condition: $residual") {
      for ((hint, on) <- Seq(
          ("BROADCAST", "a.id = b.id + 100 AND "),
          ("SHUFFLE_HASH", "a.id = b.id + 100 AND "),
          ("MERGE", "a.id = b.id + 100 AND "),
          ("BROADCAST", "a.id < 100 AND b.id < 30 AND ")
        )) {
        def query =
          sql(s"SELECT /*+ $hint(b) */ a.id, b.id FROM guarded a JOIN guarded b ON $on$residual")
        val runs = assertNoNewError(query, Seq("true"))
        assert(runs.size == modes.size)
      }
    }

  private def assertLeftUnderAnsi(reason: Reason)(condition: String, fails: Boolean): Unit =
    withConf(SQLConf.ANSI_ENABLED.key -> "true") {
      val said = verdicts(where(condition))
      assert(said.nonEmpty && said.forall(_.reason.contains(reason)), said)
      assert(Try(where(condition).collect()).isFailure == fails)
    }
}
