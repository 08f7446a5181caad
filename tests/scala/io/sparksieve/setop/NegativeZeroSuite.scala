// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import io.sparksieve.report.core.Reason

/** Columns with the constant -0.0, of which DISTINCT makes 0.0, or not. */
class NegativeZeroSuite extends SetOpTest {

  private def queries(z: String) = Seq(
    s"SELECT a, $z z FROM t WHERE b = 1 UNION SELECT a, $z z FROM t",
    s"SELECT DISTINCT z FROM (SELECT a, $z z FROM t WHERE a < 2 UNION ALL SELECT a, $z z FROM t WHERE a > 5)",
    s"SELECT a, $z z FROM t WHERE b = 1 INTERSECT SELECT a, $z z FROM t WHERE a > 2",
    s"SELECT a, array($z) z FROM t EXCEPT SELECT a, array($z) z FROM t WHERE a > 2",
    s"SELECT DISTINCT a, z FROM (SELECT a, $z z FROM t) v WHERE a IN (SELECT a FROM t WHERE a > 2)"
  )

  private def texts(rows: Seq[Any]) = rows.map(_.toString).sorted

  private def reasons(query: String) =
    planned(sql(query))._2.filter(_.rule != "LowerUnsafeExcept").map(_.reason)

  test("the constant -0.0 is as without a rewrite") {
    for (z <- Seq("-0.0D", "cast(-0.0D AS FLOAT)", "(0.0D * -1)"); query <- queries(z)) {
      assert(texts(sql(query).collect().toSeq) == texts(off(sql(query))), query)
      assert(reasons(query).contains(Some(Reason.MergedValues)), query)
      assert(!reasons(query).contains(None), query)
    }
  }

  test("what is constant once Spark has simplified it") {
    for {
      z <- Seq(
        "-cast(n IS NULL AS DOUBLE)",
        "-x",
        "x * -1D",
        "cast(array('-0.0') AS ARRAY<DOUBLE>)",
        "named_struct('a', a, 'x', -0.0D).x",
        "from_json('{\"z\": -0.0}', 'z DOUBLE')",
        "if(a > 3, -x, -x)",
        "coalesce(-x, d)"
      )
      (query, k) <- queries(z).zipWithIndex
    } {
      val from =
        query.replace("FROM t", "FROM (SELECT *, 0.0D x, double(a) d, abs(hash(a)) n FROM t)")
      if (k == 0) assert(texts(sql(from).collect().toSeq) == texts(off(sql(from))), from)
      assert(reasons(from).contains(Some(Reason.MergedValues)), from)
      assert(!reasons(from).contains(None), from)
    }
  }

  test("rows that are distinct already, of which Spark keeps -0.0") {
    sql(
      "CREATE TABLE zeros USING parquet AS SELECT id k, if(id % 2 = 0, -0.0D, 0.0D) d FROM range(20)")
    try {
      for {
        rows <- Seq("SELECT k, max(d) d FROM zeros GROUP BY k", "SELECT * FROM zeros LIMIT 1")
        op <- Seq("UNION", "INTERSECT", "EXCEPT")
      } {
        val query =
          s"WITH v AS ($rows) SELECT k, d FROM v WHERE k < 9 $op SELECT k, d FROM v WHERE k IN (2, 4)"
        assert(texts(sql(query).collect().toSeq) == texts(off(sql(query))), query)
        if (op == "UNION" && rows.endsWith("k")) {
          assert(reasons(query) == Seq(Some(Reason.MergedValues)), query)
        }
      }
      val counted =
        "WITH v AS (SELECT k, max(d) d, max(k) m FROM zeros GROUP BY k) " +
          "SELECT k, d FROM v WHERE m < 9 INTERSECT SELECT k, d FROM v WHERE m > 2"
      assert(texts(sql(counted).collect().toSeq) == texts(off(sql(counted))))
      assert(reasons(counted).contains(Some(Reason.MergedValues)))
    } finally sql("DROP TABLE zeros")
  }

  test("other columns do not keep a set operation from being rewritten") {
    val computed =
      Seq("a * 0.5D", "-double(a)", "abs(double(a))", "if(a > 3, 0.0D, -double(a))")
    for (z <- Seq("0.0D", "-1.5D", "double('NaN')") ++ computed; query <- queries(z))
      assert(reasons(query).contains(None), query)
  }
}
