// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.values

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.Reason
import io.sparksieve.setop.SetOpTest

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
    // Nothing fails, which is another reason.
    withSQLConf(SQLConf.ANSI_ENABLED.key -> "false")(for {
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
        query.replace("FROM t", "FROM (SELECT *, 0.0D x, double(a) d, coalesce(a, 0) n FROM t)")
      if (k == 0) assert(texts(sql(from).collect().toSeq) == texts(off(sql(from))), from)
      assert(reasons(from).contains(Some(Reason.MergedValues)), from)
      assert(!reasons(from).contains(None), from)
    })
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
      val groups = "SELECT k, max(d) m, max(k) n FROM zeros GROUP BY k"
      for (query <- Seq(
          s"WITH v AS ($groups) SELECT k, m FROM v WHERE n < 9 INTERSECT SELECT k, m FROM v WHERE n > 2",
          "WITH v AS (SELECT k FROM zeros GROUP BY k) SELECT DISTINCT u.k, m FROM " +
            s"(SELECT k FROM v WHERE k < 9 UNION ALL SELECT k FROM v WHERE k >= 9) u JOIN ($groups) g ON u.k = g.k",
          "SELECT d FROM (SELECT d, k FROM zeros WHERE k = 1 AND k IN (SELECT k FROM zeros WHERE k = 2) " +
            "UNION ALL SELECT max(d), 7 FROM zeros WHERE k IN (4, 8)) GROUP BY d",
          "WITH v AS (SELECT d, count(*) n FROM zeros GROUP BY d) " +
            "SELECT d, -d e FROM v WHERE n < 99 UNION SELECT d, -d FROM v WHERE n > 2",
          "SELECT DISTINCT d FROM zeros WHERE k IN (SELECT max(k) FROM zeros) AND " +
            "k IN (SELECT k FROM (SELECT k FROM zeros LIMIT 1) WHERE k > 1)"
        )) {
        assert(texts(sql(query).collect().toSeq) == texts(off(sql(query))))
        assert(!reasons(query).contains(None), query)
      }
    } finally sql("DROP TABLE zeros")
  }

  test("inline rows, over which Spark evaluates while it plans") {
    // Other suites exclude the rule that does.
    withSQLConf(SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> "") {
      val rows = "(SELECT * FROM VALUES (-0.0D, 1), (-0.0D, 2) AS v(d, k))"
      for (query <- Seq(
          s"SELECT d FROM $rows WHERE k = 1 UNION SELECT d FROM $rows WHERE k = 1 AND k > 0",
          s"SELECT d, k FROM $rows EXCEPT SELECT d, k FROM $rows WHERE k = 2",
          s"SELECT -x d FROM (SELECT 0.0D + k - k x, k FROM $rows) WHERE k = 1 UNION " +
            s"SELECT -x FROM (SELECT 0.0D + k - k x, k FROM $rows) WHERE k < 2"
        )) {
        assert(texts(sql(query).collect().toSeq) == texts(off(sql(query))), query)
        assert(!reasons(query).contains(None), query)
      }
    }
  }

  test("other columns do not keep a set operation from being rewritten") {
    val computed =
      Seq(
        "a * 0.5D",
        "-double(a)",
        "abs(double(a))",
        "if(a > 3, 0.0D, -double(a))",
        "coalesce(double(a), 0.0D)",
        "array(a * 0.5D)",
        "a * if(b > 2, 0.5D, 1.5D)")
    for (z <- Seq("0.0D", "-1.5D", "double('NaN')") ++ computed; query <- queries(z))
      assert(reasons(query).contains(None), query)
    for (add <- Seq(
        "avg(double(a)) FILTER (WHERE b > 1)",
        "avg(if(b > 1, a, NULL))",
        "max(double(a))"))
      assert(
        reasons(
          s"SELECT count(*) FILTER (WHERE a > 1), $add FROM (SELECT * FROM t WHERE a < 2 UNION ALL SELECT * FROM t WHERE a > 5)") ==
          Seq(None),
        add)
  }
}
