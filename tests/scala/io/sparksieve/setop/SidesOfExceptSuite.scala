// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.Reason

/**
 * A rewrite within a side of an EXCEPT does not change what Spark's own `ReplaceExceptWithFilter`
 * makes of the EXCEPT, where Sieve itself leaves it alone.
 */
class SidesOfExceptSuite extends SetOpTest {

  override protected def sparkConf = super.sparkConf.set(SQLConf.ANSI_ENABLED.key, "true")

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("""CREATE TABLE p USING parquet AS SELECT * FROM VALUES
      (0, 1, 0.5D), (1, 2, 1.5D), (2, 0, 2.5D), (3, 3, 9.0D), (-4, 1, 7.5D) AS p(a, b, d)""")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS p")
    finally super.afterAll()

  /** `columns` of the rows of `p` for which `condition` holds, by a semi-join. */
  private def kept(columns: String, condition: String) =
    s"""(SELECT $columns FROM p AS l LEFT SEMI JOIN (SELECT * FROM p WHERE $condition) AS r
      ON l.a <=> r.a AND l.b <=> r.b AND l.d = r.d)"""

  private val applied = "ReplaceSemiJoinWithFilter"

  private def sameRows(query: String): Unit = withoutCounting {
    assert(verdicts("ReplaceExceptWithNotFilter")(sql(query)).forall(_.nonEmpty), query)
    checkAnswer(sql(query), off(sql(query)))
  }

  // The alias `a` has the name of a column that the right filter uses, which may fail by its form.
  private val guarded = "SELECT b AS a FROM p WHERE a <> 0 AND 10 / a > 3"

  private val total = "SELECT b AS a FROM p WHERE a <> 0 AND a % 7 > 2"

  test("a side that becomes a filter: Spark still plans an anti-join") {
    for (left <- Seq(kept("b AS a", "b > 0"), s"(SELECT * FROM ${kept("b AS a", "b > 0")} AS v)")) {
      for ((right, verdict) <- Seq(guarded -> Some(Reason.MayFail), total -> None)) {
        val query = s"$left EXCEPT $right"
        sameRows(query)
        withoutCounting(assert(verdicts(applied)(sql(query)) == Seq(verdict)))
      }
    }
  }

  test("an alias of another type: Spark's rule would fail") {
    sameRows(s"""${kept("CAST(b AS STRING) AS a, d", "b > 0")}
      EXCEPT SELECT CAST(b AS STRING), d FROM p WHERE a <> 0 AND 10 / a > 3""")
  }

  test("definitions are left alone where Spark might replace the EXCEPT by a filter") {
    val query = s"WITH v AS (${kept("b AS a", "b > 0")}) SELECT * FROM v EXCEPT $guarded"
    sameRows(query)
    withoutCounting(assert(verdicts(applied)(sql(query)).isEmpty))
    sameRows(s"""WITH v AS (${kept("*", "b > 0")}), w AS (SELECT b AS a FROM v)
      SELECT * FROM w EXCEPT $guarded""")
  }

  test("definitions within a side") {
    val side = sql(s"WITH v AS (${kept("b AS a", "b > 0")}) SELECT * FROM v")
    withTempView("side") {
      side.createOrReplaceTempView("side")
      sameRows(s"SELECT * FROM side EXCEPT $guarded")
    }
  }

  // Spark replaces the EXCEPT by a filter; that of the semi-join would be mapped by name with it.
  private def both(v: String) =
    s"SELECT b AS a, d FROM $v WHERE d > 1.0D EXCEPT SELECT b AS a, d FROM $v WHERE d <= 5.0D"

  test("sides that Spark replaces by a filter are left alone") {
    val query = both(s"${kept("*", "a > 0")} AS v")
    sameRows(query)
    withoutCounting {
      assert(
        verdicts("ReplaceExceptWithNotFilter")(sql(query)) ==
          Seq(Some(Reason.PushdownSensitiveSource)))
      assert(verdicts(applied)(sql(query)).isEmpty)
    }
  }

  // Spark removes or evaluates all this before its rule looks at the sides.
  test("sides with what Spark removes before") {
    val v = s"${kept("*", "a > 0")} AS v"
    def except(left: String, right: String, more: String = "") =
      s"SELECT b AS a, d$more FROM $left WHERE d > 1.0D " +
        s"EXCEPT SELECT b AS a, d$more FROM $right AND d <= 5.0D"
    val plain = s"$v WHERE true"
    sameRows(except(v, s"$plain AND d > (SELECT 0.0D)"))
    sameRows("""SELECT b AS a FROM p WHERE (a, b) IN (SELECT a, b FROM p WHERE b > 0) AND b > -9
      EXCEPT SELECT b AS a FROM p WHERE a <> 0 AND 10 / a > (SELECT 3)""")
    val none = "SELECT * FROM VALUES (1, 2, 0.5D) AS e(a, b, d) WHERE a > 5"
    sameRows(except(s"(SELECT * FROM $v UNION ALL $none) AS v", plain))
    sameRows(except(v, s"(SELECT * FROM $v UNION ALL $none) AS v WHERE true"))
    val anti = s"(SELECT * FROM $v LEFT ANTI JOIN ($none) AS e ON v.a = e.a) AS v"
    sameRows(except(anti, plain))
    sameRows(s"${kept("b AS a", "b > 0")} UNION ALL SELECT a FROM ($none) EXCEPT $guarded")
    for ((c, same) <- Seq(
        "b BETWEEN 1 AND 2" -> "b >= 1 AND b <= 2",
        "current_database()" -> "'default'"))
      sameRows(
        s"SELECT b AS a, d, $c AS c FROM $v WHERE d > 1.0D " +
          s"EXCEPT SELECT b AS a, d, $same AS c FROM $v WHERE d <= 5.0D")
  }

  test("a union with itself, and a filter that guards the other side") {
    withTable("p0") {
      sql("CREATE TABLE p0 USING parquet AS SELECT a, b, IF(a = 0, 0.0D, d) AS d FROM p")
      sameRows("""SELECT a, b, d FROM (SELECT * FROM p0 UNION SELECT * FROM p0) AS v WHERE d <> 0
        EXCEPT SELECT a, b, d FROM (SELECT DISTINCT * FROM p0) AS v WHERE 10 / d > 3""")
    }
  }

  test("a table in the cache") {
    sql("CACHE TABLE p")
    try {
      val v = s"${kept("*", "a > 0")} AS v"
      sameRows(both(v))
      sameRows(both(v).replace("b AS a", "concat('x', b) AS a"))
    } finally sql("UNCACHE TABLE p")
  }

  test("many definitions that read each other") {
    withTable("q") {
      sql("CREATE TABLE q USING parquet AS SELECT * FROM p WHERE a > 2")
      val views = (1 to 40).map(i =>
        s"v$i AS (SELECT * FROM v${i - 1} EXCEPT SELECT a, b, d FROM q WHERE d > $i)")
      sameRows(s"WITH v0 AS (SELECT * FROM p), ${views.mkString(", ")} SELECT * FROM v40")
    }
  }

  test("definitions that are read below rand()") {
    val v = "v AS (SELECT a, b FROM p WHERE a > 0 UNION ALL SELECT a, b FROM p WHERE a <= 0)"
    for (query <- Seq(
        s"WITH $v SELECT monotonically_increasing_id() AS i, * FROM v",
        s"WITH $v, w AS (SELECT * FROM v) SELECT rand(7) AS i, * FROM w",
        s"WITH $v SELECT * FROM v TABLESAMPLE (50 PERCENT) REPEATABLE (3)"
      )) {
      // With adaptive execution, all of the query is left alone.
      for (adaptive <- Seq("true", "false"))
        withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
          checkAnswer(sql(query), off(sql(query)))
          assert(verdicts("ReplaceUnionWithFilter")(sql(query)).forall(_.nonEmpty), query)
        }
    }
    val query = s"WITH $v SELECT a FROM v"
    assert(verdicts("ReplaceUnionWithFilter")(sql(query)) == Seq(None))
  }

  test("definitions that Spark replaces by a filter are left alone") {
    val query = s"WITH v AS (${kept("*", "a > 0")}) ${both("v")}"
    sameRows(query)
    withoutCounting(assert(verdicts(applied)(sql(query)).isEmpty))
  }

  test("sides that Sieve replaces by a filter are rewritten first") {
    val v = s"${kept("*", "a > 0")} AS v"
    val query = s"SELECT a, b FROM $v EXCEPT SELECT a, b FROM $v WHERE b > 1"
    withoutCounting {
      assert(verdicts(applied)(sql(query)) == Seq(None, None))
      assert(verdicts("ReplaceExceptWithNotFilter")(sql(query)) == Seq(None))
      checkAnswer(sql(query), off(sql(query)))
    }
  }

  test("idempotent") {
    withoutCounting(assertIdempotent(sql(s"${kept("b AS a", "b > 0")} EXCEPT $total")))
  }
}
