// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.Reason

/** Parts of a query that fail if they are read, which they are not if a side has no rows. */
class FallibleSidesSuite extends FallibleTest {

  private val semi =
    "SELECT v.* FROM (SELECT * FROM p WHERE a < 5) v LEFT SEMI JOIN (SELECT * FROM p WHERE a > 7) w ON v.a = w.a"

  private def ofSemi(query: String) = verdicts("ReplaceSemiJoinWithFilter")(sql(query))

  test("EXCEPT and INTERSECT that remain are joins") {
    for (op <- Seq("EXCEPT", "INTERSECT")) {
      leaves(s"SELECT s FROM ($semi) $op SELECT cast(cast(s AS TINYINT) AS STRING) FROM nn")
      leaves(s"SELECT a FROM ($semi) $op SELECT cast(max(s) AS TINYINT) FROM nn GROUP BY k")
      leaves(s"SELECT cast(s AS TINYINT) FROM nn $op SELECT a FROM ($semi)")
      assert(ofSemi(s"SELECT a FROM ($semi) $op SELECT v FROM q") == Seq(None))
      // They count the rows of both sides.
      assert(
        ofSemi(s"SELECT a x FROM ($semi) $op ALL SELECT cast(v AS TINYINT) FROM q") == Seq(None))
    }
  }

  test("columns of the sides of one EXCEPT are computed for no other rows") {
    def verdict(query: String) = verdicts("ReplaceExceptWithNotFilter")(sql(query))
    val except = "SELECT a + 1 n, b FROM p EXCEPT SELECT a + 1, b FROM p WHERE b > 7"
    assert(verdict(except) == Seq(None))
    checkAnswer(sql(except), off(sql(except)))
    assert(verdict(s"$except EXCEPT SELECT a, b FROM p WHERE b > 9").forall(_.nonEmpty))
    assert(verdict(s"SELECT n FROM ($except) JOIN q ON n = i") == Seq(Some(Reason.MayFail)))
  }

  test("a side that contradicts itself") {
    val nothing = "SELECT b, d FROM m WHERE d = 0.0D AND d = 1.0D"
    sql("CREATE TEMPORARY VIEW m AS SELECT *, double(a) d FROM nn")
    leaves(
      s"SELECT b FROM (SELECT b, d FROM m WHERE k > 0 INTERSECT $nothing) " +
        "EXCEPT SELECT cast(s AS TINYINT) FROM nn")
  }

  test("Spark's rule for EXCEPT reads no partition that a filter above drops") {
    sql("CREATE TABLE parts USING parquet PARTITIONED BY (i) AS SELECT s, a i FROM nn")
    try {
      val except = s"SELECT s, i FROM parts EXCEPT SELECT s, i FROM parts WHERE $small"
      declines(s"SELECT * FROM ($except) WHERE i IN (3, 4)")
      leaves(s"SELECT count(*) FROM ($except) WHERE i = (SELECT 3)")
    } finally sql("DROP TABLE parts")
  }

  test("Spark's rule for EXCEPT computes a column for the rows that a filter keeps") {
    def verdict(query: String) = verdicts("LowerUnsafeExcept")(sql(query))
    withoutCounting(
      assert(
        verdict("SELECT a % 3 a FROM p EXCEPT SELECT a % 3 a FROM p WHERE a = 1") == Seq(None)))
    for (right <- Seq("a + 1 a FROM p WHERE a = 1", "a + 1 a FROM p WHERE b > 2 AND a = 1"))
      assert(verdict(s"SELECT a + 1 a FROM p EXCEPT SELECT $right").isEmpty)
    assert(verdict("SELECT a FROM p EXCEPT SELECT b + 1 a FROM p WHERE a = 1").isEmpty)
    // Spark evaluates the column only where `a > 5` says nothing about the row.
    sql("CREATE TABLE halves USING parquet AS SELECT a, k, if(a > 5, '1.5', '1') s FROM p")
    try {
      val side = "SELECT a, cast(s AS BIGINT) k FROM halves"
      leaves(s"$side EXCEPT $side WHERE a > 5 OR k < 0")
    } finally sql("DROP TABLE halves")
  }

  test("scalar subqueries of an operator over no rows") {
    for (ansi <- Seq(true, false)) withConf(SQLConf.ANSI_ENABLED.key -> ansi.toString) {
      declines(s"SELECT a, (SELECT s FROM q JOIN nn ON i = a) FROM ($semi)")
      declines(s"SELECT a FROM ($semi) WHERE k = (SELECT k FROM nn)")
      assert(ofSemi(s"SELECT a, (SELECT max(i) FROM q) FROM ($semi)") == Seq(None))
      assert(ofSemi(s"SELECT a, (SELECT i FROM q ORDER BY i LIMIT 1) FROM ($semi)") == Seq(None))
    }
    declines(s"SELECT a, (SELECT max(cast(s AS TINYINT)) FROM nn) FROM ($semi)")
    declines(s"SELECT a, (SELECT sum(i) FROM q) FROM ($semi)")
  }

  test("a sum below a join, which overflows for any order of the rows") {
    val union = "SELECT a FROM p WHERE b < 0 UNION ALL SELECT a FROM p WHERE b > 100"
    def joined(sum: String) =
      s"SELECT x.a, y FROM ($union) x JOIN (SELECT i, $sum OVER (PARTITION BY i) y FROM q) u ON u.i = x.a"
    def verdict(sum: String) = verdicts("ReplaceUnionWithFilter")(sql(joined(sum)))
    for (wide <- Seq("sum(v)", "sum(cast(v AS DECIMAL(38, 2)))", "avg(cast(v AS DECIMAL(30, 2)))"))
      declines(joined(wide))
    for (narrow <- Seq("avg(v)", "sum(double(v))", "count(v)"))
      assert(verdict(narrow) == Seq(None), narrow)
    withConf(SQLConf.ANSI_ENABLED.key -> "false") {
      for (added <- Seq("sum(v)", "sum(cast(v AS DECIMAL(38, 2)))"))
        assert(verdict(added) == Seq(None), added)
      declines(joined("sum(make_dt_interval(0, 0, 0, v))"))
    }
  }

  test("a function of the user in no expression") {
    import testImplicits._
    val typed = sql("SELECT v FROM q").as[Long].map(v => 10 / v)
    withTempView("typed", "x") {
      typed.toDF("v").createOrReplaceTempView("typed")
      // On 3.5, Spark's check that its rules are idempotent fails for a key with a filter.
      leaves(s"SELECT x.a FROM ($semi) x JOIN typed ON b = v")
      sql(semi).createOrReplaceTempView("x")
      assert(
        verdicts("ReplaceSemiJoinWithFilter")(
          spark.table("x").select("a").as[Long].map(_ + 1).toDF("a")) == Seq(None))
    }
  }
}
