// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.Reason

/** Queries with an expression that may fail, but does not as long as no set operation is rewritten. */
class FallibleQueriesSuite extends FallibleTest {

  test("a guard that the condition of the rewrite makes superfluous") {
    for (guarded <- Seq(s"a <= 5 AND $small", "a <= 5 AND v[a - a] >= 0"))
      from(s"SELECT a FROM nn WHERE $guarded")(
        "SELECT a FROM x EXCEPT ALL SELECT a FROM x WHERE a <> 3",
        "SELECT a FROM x WHERE NOT EXISTS (SELECT 1 FROM x y WHERE y.a = x.a AND y.a <> 3)",
        "SELECT a FROM x LEFT ANTI JOIN (SELECT a FROM x WHERE a <> 3) y USING (a)"
      )
    from(s"SELECT a FROM nn WHERE a > 5 OR $small")(
      "SELECT a FROM x EXCEPT ALL SELECT a FROM x WHERE a > 5",
      "SELECT a FROM x WHERE a NOT IN (SELECT a FROM x WHERE a > 5)")
    from(s"SELECT coalesce(a, 0) a FROM p WHERE coalesce(a, 0) > 5 OR $small")(
      "SELECT a FROM x EXCEPT ALL SELECT a FROM x WHERE a > 5")
  }

  test("an outer join becomes an inner one, so that each side gets the condition of the other") {
    val right = "SELECT * FROM q WHERE cast(i AS TINYINT) >= 0"
    from(s"SELECT r.v FROM l LEFT JOIN ($right) r ON l.i = r.i")(
      "SELECT v FROM x EXCEPT ALL SELECT v FROM x WHERE v IS NULL",
      "SELECT v FROM x WHERE NOT EXISTS (SELECT 1 FROM x y WHERE y.v <=> x.v AND y.v IS NULL)"
    )
    from(s"SELECT r.v FROM l FULL JOIN ($right) r ON l.i = r.i")(
      "SELECT v FROM x EXCEPT ALL SELECT v FROM x WHERE v IS NULL")
  }

  test("a join whose rows only matter where they are counted") {
    from(
      "SELECT w.a, w.b FROM q w0 JOIN p w ON w0.i = w.a LEFT JOIN p ON w.k = p.k AND cast(p.s AS TINYINT) > 0")(
      "SELECT DISTINCT a FROM x WHERE b > 3 EXCEPT SELECT DISTINCT a FROM x WHERE b > 5",
      "SELECT DISTINCT a FROM x WHERE b > 3 INTERSECT SELECT DISTINCT a FROM x WHERE b > 5"
    )
  }

  private def ofUnion(query: String) = verdicts("ReplaceUnionWithFilter")(sql(query))

  private val whole =
    "(SELECT a FROM down WHERE a < 100 UNION ALL SELECT a FROM down WHERE a >= 100)"

  test("LIMIT over rows in another order") {
    declines(s"SELECT cast(a AS TINYINT) FROM $whole LIMIT 1")
    declines(
      s"SELECT y FROM (SELECT DISTINCT y FROM (SELECT cast(a AS TINYINT) y FROM $whole) LIMIT 1)")
    val sorted = s"SELECT cast(a AS SMALLINT) y FROM $whole ORDER BY y LIMIT 1"
    assert(ofUnion(sorted) == Seq(None))
    for (order <- Seq(
        "SORT BY y",
        "ORDER BY c + cast(null AS INT)",
        "ORDER BY 'x'",
        "ORDER BY c",
        "ORDER BY 1 + c"))
      leaves(s"SELECT y, c FROM (SELECT cast(a AS TINYINT) y, 5 c FROM $whole) $order LIMIT 1")
    leaves(s"SELECT cast(a AS TINYINT) FROM (SELECT a FROM $whole LIMIT 1)")
    leaves(s"SELECT cast(a AS TINYINT) FROM (SELECT * FROM $whole ORDER BY a LIMIT 1)")
    leaves(
      s"SELECT y FROM (SELECT a, y FROM (SELECT a, cast(a AS TINYINT) y FROM $whole) LEFT JOIN q ON a = v AND false ORDER BY i) LIMIT 1")
    val groups =
      s"SELECT y, count(*) c, max(a) m FROM (SELECT a, cast(a AS TINYINT) y FROM $whole) GROUP BY y"
    leaves(s"SELECT y FROM ($groups) LIMIT 1")
    leaves(s"SELECT y, c FROM ($groups) LIMIT 1")
    leaves(
      s"SELECT DISTINCT y, a FROM (SELECT cast(a AS TINYINT) y, a FROM $whole ORDER BY a) LIMIT 1")
    val groupsInOrder =
      s"SELECT y, max(a) m FROM (SELECT a, cast(a AS SMALLINT) y FROM $whole) GROUP BY y ORDER BY m LIMIT 1"
    assert(ofUnion(groupsInOrder) == Seq(None))
    leaves(
      s"SELECT y FROM (SELECT a, cast(a AS TINYINT) y FROM $whole) ORDER BY a + cast(null AS INT) LIMIT 1")
    val sum = s"SELECT sum(cast(a AS SMALLINT)), count(*) FROM $whole LIMIT 1"
    assert(ofUnion(sum) == Seq(None))
    checkAnswer(sql(sorted), off(sql(sorted)))
  }

  test("a column that is computed below a join") {
    val computed = s"SELECT cast(a AS TINYINT) y, a FROM $whole"
    declines(
      s"SELECT y FROM ($computed WHERE a < 100) u JOIN (SELECT * FROM q WHERE v < 0) w ON u.a = w.i")
    declines(s"SELECT y FROM ($computed WHERE a < 100) u WHERE a IN (SELECT i FROM q WHERE v < 0)")
    from(computed + " WHERE a < 100")("SELECT y FROM x JOIN l ON a = i")
    val above =
      s"SELECT cast(a AS TINYINT) y FROM $whole JOIN (SELECT i FROM q WHERE v < 9) w ON a = i"
    assert(ofUnion(above) == Seq(None))
    val added = s"SELECT a, sum(cast(a AS TINYINT)) n FROM $whole GROUP BY a"
    assert(
      ofUnion(s"SELECT n FROM ($added) JOIN q ON a = i") ==
        Seq(Some(Reason.MayFail)))
    val counted =
      s"SELECT n, m FROM (SELECT a, count(*) n, max(a) m, sum(0.5D * a) t FROM $whole GROUP BY a) JOIN q ON a = i"
    assert(ofUnion(counted) == Seq(None))
  }

  test("inline rows, over which Spark evaluates while it plans") {
    // Other suites exclude the rule that does.
    withConf(SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> "") {
      withTempView("inline") {
        sql("CREATE TEMPORARY VIEW inline AS SELECT * FROM VALUES (1L), (300L) AS v(a)")
        for (op <- Seq(
            "EXCEPT ALL SELECT a FROM inline WHERE a < 1",
            "INTERSECT ALL SELECT a FROM inline WHERE a > 0"))
          declines(
            s"SELECT a FROM (SELECT a, cast(a AS TINYINT) y FROM (SELECT a FROM inline $op))")
        assert(
          verdicts("ReplaceExceptWithNotFilter")(
            sql("SELECT a FROM inline EXCEPT ALL SELECT a FROM inline WHERE a < 1")) == Seq(None))
      }
    }
  }

  test("what a source computes, for rows that the filters of both sides drop") {
    from("SELECT k, count(*) c, max(cast(s AS TINYINT)) y FROM nn GROUP BY k")(
      "SELECT k, y FROM x WHERE k <= 1 AND c = 1 UNION SELECT k, y FROM x WHERE k < 1 AND c > 1",
      "SELECT k, y FROM x WHERE k <= 1 AND c = 1 INTERSECT SELECT k, y FROM x WHERE k < 1 AND c > 1"
    )
    from(
      "SELECT k, y, c FROM (SELECT k, cast(s AS TINYINT) y FROM nn) LATERAL VIEW explode(array(1, 2)) e AS c")(
      "SELECT k, y FROM x WHERE k <= 1 AND c = 1 UNION SELECT k, y FROM x WHERE k < 1 AND c > 1")
  }

  test("frames of values, and generators that are not known") {
    val known = "max(b) OVER (ORDER BY a RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    val added = "max(b) OVER (ORDER BY a RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)"
    def joined(item: String) =
      s"SELECT n FROM (SELECT a, $item AS n FROM p) w JOIN (SELECT a AS x FROM $whole) ON w.a = x"
    assert(ofUnion(joined(known)) == Seq(None))
    assert(ofUnion(joined(added)) == Seq(Some(Reason.MayFail)))
    def generated(f: String) =
      s"SELECT x, c FROM (SELECT a AS x FROM $whole) LATERAL VIEW $f e AS c"
    assert(ofUnion(generated("explode(array(1))")) == Seq(None))
    assert(
      ofUnion(generated("json_tuple('{}', 'a')")) ==
        Seq(Some(Reason.MayFail)))
  }

  test("what is computed from a constant that a set operation hides") {
    for {
      (z, failing) <- Seq("0" -> "10 div z", "'x'" -> "cast(z AS INT)", "5" -> "array(1, 2)[z]")
      op <- Seq("UNION", "EXCEPT ALL")
    } {
      val query =
        s"SELECT a, $failing FROM (SELECT a, $z z FROM p WHERE a > 100 $op SELECT a, $z z FROM p WHERE a < 0)"
      leaves(query)
    }
    val nothing = "SELECT a, b FROM p WHERE b = 5 INTERSECT SELECT a, b FROM p WHERE b = 6"
    leaves(s"SELECT i, 10 div coalesce(b, 0) FROM l LEFT JOIN ($nothing) ON i = a")
    leaves(s"SELECT i, 10 div count(a) FROM l LEFT JOIN LATERAL ($nothing) n GROUP BY i")
    val constants =
      "SELECT a, cast(null AS INT) n, 0 z FROM p WHERE a > 100 UNION SELECT a, cast(null AS INT), 0 FROM p WHERE a < 0"
    for (result <- Seq("count(n)", "count(*) FILTER (WHERE z = 1)"))
      leaves(s"SELECT a, 10 div $result FROM ($constants) GROUP BY a")
    for (result <- Seq("count(n) OVER ()", "z + row_number() OVER (ORDER BY a) * 0", "a * z"))
      leaves(s"SELECT a, 10 div ($result) FROM ($constants)")
    assert(
      ofUnion(
        "SELECT a, 10 div a FROM (SELECT a, 5 z FROM p WHERE a > 5 UNION SELECT a, 5 FROM p)") ==
        Seq(None))
  }

  test("arguments that Spark prepares before there is a row") {
    val none = "SELECT a, s FROM p WHERE a IN (SELECT a FROM p WHERE a > 100)"
    for (prepared <- Seq("s RLIKE '('", "s LIKE 'x!' ESCAPE '!'", "date_format(date(s), 'bbb')"))
      leaves(s"SELECT a, $prepared FROM ($none)")
  }

  test("what fails for rows only") {
    for (result <- Seq(
        "cast(count(*) AS INT)",
        "10 div count(*)",
        "sum(a * b)",
        "sum(a + 1)",
        "sum(cast(a * 2 AS SMALLINT))",
        "cast(avg(a) AS SMALLINT)",
        "max(cast(s AS INT))"))
      assert(
        ofUnion(
          s"SELECT $result FROM (SELECT * FROM p WHERE a < 3 UNION SELECT * FROM p WHERE b = 1)") ==
          Seq(None),
        result)
  }

  test("a join that Spark refuses, once one scan shows that its key is constant") {
    val union = "SELECT a, 1 z FROM p WHERE a < 5 UNION SELECT a, 1 z FROM p WHERE a > 15"
    withConf(SQLConf.CROSS_JOINS_ENABLED.key -> "false") {
      declines(s"SELECT a, v FROM ($union) JOIN q ON z = i")
      assert(ofUnion(union) == Seq(None))
    }
  }

  test("a comparison within NULLIF") {
    declines(
      "SELECT x.a FROM (SELECT a FROM nn EXCEPT ALL SELECT a FROM nn WHERE a <> 300) x " +
        "JOIN (SELECT b FROM nn WHERE cast(b AS TINYINT) >= 0) w ON nullif(x.a, w.b) IS NULL")
  }

  test("a condition that reads no column") {
    for {
      failing <- Seq("raise_error('x') IS NULL", "10 div (SELECT min(b) FROM p) > 0")
      op <- Seq("EXCEPT ALL", "INTERSECT", "INTERSECT ALL")
      query <- Seq(
        s"SELECT * FROM p WHERE a > 30 $op SELECT * FROM p WHERE b >= 30 AND $failing",
        s"SELECT * FROM (SELECT * FROM p WHERE a > 30 $op SELECT * FROM p WHERE a < 3) WHERE $failing",
        s"SELECT * FROM (SELECT * FROM p WHERE a > 30 $op SELECT * FROM p WHERE a < 3) JOIN (SELECT 1 FROM p WHERE a > 30 AND $failing)"
      )
    } {
      sameOrBothFail(query)
      val entries = planned(sql(query))._2
      assert(entries.nonEmpty && entries.forall(_.reason.nonEmpty), s"$query\n$entries")
    }
  }

  test("the rewrite is applied where no condition may fail") {
    def verdict(query: String) = verdicts("ReplaceExceptWithNotFilter")(sql(query))
    val except = "SELECT * FROM p WHERE a = 3 EXCEPT ALL SELECT * FROM p WHERE b = 3"
    val applied = Seq(None)
    val declined = Seq(Some(Reason.MayFail))
    assert(verdict(except) == applied)
    assert(verdict(s"SELECT cast(a AS TINYINT) x FROM ($except)") == applied)
    assert(verdict(s"SELECT a FROM ($except) WHERE b IN (SELECT max(b) FROM p)") == applied)
    assert(verdict(s"SELECT * FROM ($except) WHERE b % 7 = 1 AND a > 2 AND s LIKE 'x%'") == applied)
    assert(
      verdict(s"SELECT * FROM ($except) WHERE date_add(current_date(), 3) > current_date() - 7") ==
        applied)
    assert(verdict(s"SELECT * FROM ($except) WHERE $small") == declined)
    assert(
      verdict(
        s"SELECT * FROM (SELECT cast(a AS TINYINT) x FROM ($except)) WHERE x > 1") == declined)
    val computed = s"SELECT cast(a AS TINYINT) x FROM ($except)"
    assert(
      verdict(s"SELECT * FROM (SELECT x + 0.5D AS y FROM ($computed)) WHERE y > 1") == declined)
    assert(verdict(s"SELECT x FROM ($computed) GROUP BY ROLLUP (x) HAVING x > 1") == declined)
    assert(verdict(s"SELECT x.* FROM ($except) x JOIN q ON b = i WHERE i + v > 1") == declined)
    withConf(SQLConf.ANSI_ENABLED.key -> "false") {
      assert(
        verdict(s"SELECT * FROM ($except) WHERE b + 1 > 2 AND cast(s AS INT) / b = 1") == applied)
    }
  }

  test("the verdict names the part that may fail") {
    def named(query: String) =
      planned(sql(query))._2.filter(_.reason.contains(Reason.MayFail)).map(_.detail).toSet
    val elsewhere = ", and with one scan Spark may evaluate it for other rows."
    val join = s"SELECT a FROM p WHERE b = 1 OR ($small AND a > 2)"
    assert(
      named(s"$join EXCEPT ALL SELECT a FROM p WHERE a = 7") ==
        Set(s"CAST(s AS TINYINT) may raise an error$elsewhere"))
    assert(
      named("SELECT a + 1 n FROM p UNION SELECT a + 1 n FROM p WHERE b = 1") ==
        Set(s"a + CAST(1 AS BIGINT) may raise an error$elsewhere"))
  }
}
