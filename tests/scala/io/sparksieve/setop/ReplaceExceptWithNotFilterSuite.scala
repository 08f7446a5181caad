// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.{Reason, Report}
import io.sparksieve.setop.rewrite.SessionRewriteSetOperations

class ReplaceExceptWithNotFilterSuite extends SetOpTest {

  private val rule = "ReplaceExceptWithNotFilter"

  private def oneScan(query: String): Unit = assertOneScan(rule)(sql(query))

  private def declined(reason: Reason)(query: String): Unit =
    withoutCounting(assertDeclined(rule, reason)(sql(query)))

  test("the document's example, on CSV: a filtered scan and neither join nor second scan") {
    withTempPath { dir =>
      val path = dir.getCanonicalPath
      spark.range(120).selectExpr("id % 12 + 1 AS month", "id % 5 AS day").write.csv(path)
      val flights = spark.read.schema("month INT, day INT").csv(path)
      val early = flights.where(col("month") < 3)
      assertOneScan(rule)(early.except(flights.where(col("month") === 12)))
      assertOneScan(rule)(flights.except(flights.where(col("month") === 12)))
    }
  }

  test("EXCEPT and EXCEPT ALL keep the left side's filter and may use any column there") {
    for (operation <- Seq("EXCEPT", "EXCEPT ALL", "MINUS")) {
      oneScan(s"SELECT a, c FROM t WHERE b = 2 $operation SELECT a, c FROM t WHERE c = 1")
      oneScan(s"SELECT * FROM t $operation SELECT * FROM t WHERE a IN (1, 3) AND b < 2")
    }
  }

  test("a row whose right condition is NULL was never on the right: it stays") {
    val query = "SELECT c FROM t EXCEPT SELECT c FROM t WHERE c > 0"
    oneScan(query)
    checkAnswer(sql(query), Seq(Row(null), Row(0)))
    oneScan("SELECT a, c, s FROM t EXCEPT ALL SELECT a, c, s FROM t WHERE c > 0 OR s = 's1'")
    oneScan("SELECT a, c, s FROM t EXCEPT SELECT a, c, s FROM t WHERE NOT (c > 0 AND s = 's1')")
    oneScan("SELECT c FROM t EXCEPT SELECT c FROM t WHERE cast(NULL AS BOOLEAN)")
  }

  test("EXCEPT ALL keeps every copy of a row or none") {
    val query = "SELECT a FROM t WHERE b < 2 EXCEPT ALL SELECT a FROM t WHERE a > 1"
    oneScan(query)
    assert(sql(query).count() == sql("SELECT a FROM t WHERE b < 2 AND a <= 1").count())
  }

  test("chains fold from the inside") {
    oneScan("""SELECT a, b FROM t EXCEPT SELECT a, b FROM t WHERE a = 1
      EXCEPT SELECT a, b FROM t WHERE b = 2 EXCEPT SELECT a, b FROM t WHERE a = 3 AND b = 3""")
    oneScan("""SELECT a, b FROM t WHERE c = 0 EXCEPT ALL SELECT a, b FROM t WHERE a = 1
      EXCEPT ALL SELECT a, b FROM t WHERE b = 2""")
    oneScan("""SELECT a, b FROM t EXCEPT SELECT a, b FROM t WHERE a = 1
      EXCEPT ALL SELECT a, b FROM t WHERE b = 2""")
  }

  test("a chain with one link that cannot be folded keeps that link alone") {
    withoutCounting {
      def query = sql("""SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1
        EXCEPT SELECT a FROM t WHERE b = 2""")
      assert(verdicts(rule)(query) == Seq(None, Some(Reason.NotRowDetermined)))
      checkAnswer(query, off(query))
    }
  }

  test("a UNION on the right is taken apart, for EXCEPT ALL only UNION ALL") {
    val parts = "SELECT a FROM t WHERE a = 1 %s SELECT a FROM t WHERE a > 4"
    oneScan(s"SELECT a FROM t EXCEPT (${parts.format("UNION")})")
    oneScan(s"SELECT a FROM t EXCEPT (${parts.format("UNION ALL")})")
    oneScan(s"SELECT a FROM t EXCEPT ALL (${parts.format("UNION ALL")})")
    oneScan("""SELECT a FROM t EXCEPT ALL (SELECT a FROM t WHERE a = 1 UNION ALL
      SELECT a FROM t WHERE a < 3 UNION ALL SELECT a FROM t WHERE a = 2)""")
    withoutCounting {
      def query = sql(s"SELECT a FROM t EXCEPT ALL (${parts.format("UNION")})")
      assert(verdicts(rule)(query) == Seq(Some(Reason.DistinctBranch)))
      checkAnswer(query, off(query))
    }
  }

  test("the filters of both sides are one: what the left has as well needs no proof") {
    oneScan("SELECT a FROM t WHERE b = 1 EXCEPT SELECT a FROM t WHERE b = 1 AND a > 3")
    oneScan("SELECT a FROM t WHERE b = 1 EXCEPT ALL SELECT a FROM t WHERE b = 1 AND a > 3")
    oneScan("SELECT a FROM t WHERE b = 1 EXCEPT SELECT a FROM t WHERE 1 = b AND a > 3")
    declined(Reason.NotRowDetermined)(
      "SELECT a FROM t WHERE b = 1 EXCEPT SELECT a FROM t WHERE b = 2 AND a > 3")
  }

  test("an unfiltered right side, or a right side that equals the left, leaves nothing") {
    for {
      operation <- Seq("EXCEPT", "EXCEPT ALL")
      left <- Seq("SELECT a FROM t WHERE b = 1", "SELECT a FROM t")
    } {
      oneScan(s"$left $operation SELECT a FROM t")
      oneScan(s"$left $operation $left")
      checkAnswer(sql(s"$left $operation $left"), Nil)
    }
  }

  test("renamed columns are found by expression id") {
    oneScan("SELECT a AS x, c AS y FROM t EXCEPT SELECT a AS p, c AS q FROM t WHERE c = 1")
    oneScan("""SELECT x FROM (SELECT a AS x, b AS a FROM t)
      EXCEPT SELECT y FROM (SELECT a AS y, b AS x FROM t) WHERE y > 2""")
  }

  test("computed columns, alone and inside the filter") {
    withConf(SQLConf.ANSI_ENABLED.key -> "false") {
      oneScan("SELECT a + 1 AS n, b FROM t EXCEPT SELECT a + 1, b FROM t WHERE a + 1 > 3")
      oneScan("SELECT a * 2 AS n FROM t EXCEPT SELECT a * 2 FROM t WHERE a * 2 + 1 > 3")
    }
    oneScan(
      "SELECT concat(s, 'x') AS n FROM t EXCEPT SELECT m FROM (SELECT concat(s, 'x') AS m FROM t) WHERE m LIKE 's1%'")
    declined(Reason.NotRowDetermined)(
      "SELECT a % 2 AS n FROM t EXCEPT SELECT a % 2 FROM t WHERE a > 3")
    declined(Reason.DifferentProjection)(
      "SELECT a + 1 AS n FROM t EXCEPT SELECT a + 2 FROM t WHERE a > 3")
    declined(Reason.DifferentProjection)("SELECT a, b FROM t EXCEPT SELECT b, a FROM t WHERE a = 3")
  }

  test("a filter on columns that are not compared is left to the counting rewrite") {
    declined(Reason.NotRowDetermined)("SELECT a FROM t EXCEPT SELECT a FROM t WHERE b = 2")
    declined(Reason.NotRowDetermined)(
      "SELECT a FROM t EXCEPT ALL SELECT a FROM t WHERE a = 2 AND b = 2")
  }

  test("duplicate output columns") {
    oneScan("SELECT a, a FROM t EXCEPT SELECT a, a FROM t WHERE a = 1")
    declined(Reason.DifferentProjection)("SELECT a, b FROM t EXCEPT SELECT a, a FROM t WHERE a = 1")
  }

  test("views, nested views, WITH, and subqueries") {
    withTempView("v", "w") {
      sql("CREATE TEMP VIEW v AS SELECT a, b, c FROM t WHERE b < 4")
      sql("CREATE TEMP VIEW w AS SELECT a AS x, c AS y FROM v WHERE a > 0")
      oneScan("SELECT * FROM v EXCEPT SELECT * FROM v WHERE c = 1")
      oneScan("SELECT * FROM w EXCEPT SELECT * FROM w WHERE y = 1")
      oneScan("SELECT x, y FROM w EXCEPT SELECT a, c FROM v WHERE a > 0 AND c = 1")
    }
    oneScan(
      "WITH r AS (SELECT a, c FROM t WHERE b = 1) SELECT * FROM r EXCEPT SELECT * FROM r WHERE c = 1")
    oneScan("""WITH r AS (SELECT a, b, c FROM t), q AS (SELECT a, c FROM r WHERE c = 1)
      SELECT a, c FROM r EXCEPT SELECT * FROM q""")
    oneScan("SELECT count(*) FROM (SELECT a, c FROM t EXCEPT SELECT a, c FROM t WHERE c = 1)")
    oneScan("WITH e AS (SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1) SELECT max(a) FROM e")
  }

  test("inside scalar, IN and EXISTS subqueries") {
    for (predicate <- Seq("a = (SELECT max(x) FROM %s)", "a IN (SELECT x FROM %s)")) {
      val except = "(SELECT a AS x FROM t EXCEPT SELECT a FROM t WHERE a > 4)"
      def query = sql(s"SELECT b FROM t WHERE ${predicate.format(except)}")
      assert(verdicts(rule)(query) == Seq(None))
      checkAnswer(query, off(query))
    }
  }

  test("other sources: Range, VALUES, ORC, a DataFrame of local rows") {
    oneScan("SELECT id FROM range(20) EXCEPT SELECT id FROM range(20) WHERE id > 3")
    oneScan("""WITH r AS (SELECT * FROM VALUES (1, 2), (3, NULL), (1, 2) AS r(a, b))
      SELECT * FROM r EXCEPT ALL SELECT * FROM r WHERE b = 2""")
    withTempPath { dir =>
      sql("SELECT a, c FROM t").write.orc(dir.getCanonicalPath)
      def read = spark.read.orc(dir.getCanonicalPath)
      assertOneScan(rule)(read.except(read.where("c = 1")))
    }
    declined(Reason.DifferentSource)(
      "SELECT id FROM range(20) EXCEPT SELECT id FROM range(21) WHERE id > 3")
  }

  test("the DataFrame API") {
    val t = spark.table("t")
    assertOneScan(rule)(t.except(t.where("c = 1")))
    assertOneScan(rule)(t.exceptAll(t.where("c = 1")))
    assertOneScan(rule)(t.select("a", "c").except(t.where("c = 1").select("a", "c")))
    assertOneScan(rule)(
      t.withColumn("n", col("a") % 4).except(t.withColumn("n", col("a") % 4).where("n > 2")))
    assertOneScan(rule)(t.except(t.filter("c = 1")).except(t.filter("a = 2")))
    assertOneScan(rule)(t.dropDuplicates().except(t.where("c = 1")))
  }

  test("-0.0, 0.0 and NaN: a filter that cannot tell them apart is rewritten, another is not") {
    for (operation <- Seq("EXCEPT", "EXCEPT ALL")) {
      oneScan(s"SELECT d FROM z $operation SELECT d FROM z WHERE d = 0.0")
      oneScan(s"SELECT d FROM z $operation SELECT d FROM z WHERE isnan(d) OR d > 1.0")
      oneScan(s"SELECT d FROM z $operation SELECT d FROM z WHERE d IN (0.0D, 1.5D)")
      oneScan(
        s"SELECT cast(d AS STRING) FROM (SELECT d FROM z $operation SELECT d FROM z WHERE d > 1.0)")
    }
    withoutCounting {
      def query = sql("SELECT d FROM z EXCEPT ALL SELECT d FROM z WHERE cast(d AS STRING) = '-0.0'")
      assert(verdicts(rule)(query) == Seq(Some(Reason.TellsEqualValuesApart)))
      checkAnswer(query, off(query))
    }
  }

  test("strings of a collation: compared by it they are, compared otherwise they are not") {
    assume(collations)
    oneScan("SELECT c FROM cc EXCEPT SELECT c FROM cc WHERE c = 'A'")
    withoutCounting {
      assert(verdicts(rule) {
        sql("SELECT c FROM cc EXCEPT SELECT c FROM cc WHERE c COLLATE UTF8_BINARY = 'A'")
      } == Seq(Some(Reason.TellsEqualValuesApart)))
      assert(verdicts(rule) {
        sql("SELECT c FROM cc EXCEPT ALL SELECT c FROM cc WHERE c = 'A'")
      } == Seq(Some(Reason.MergedValues)))
    }
  }

  test("structs and arrays compare as a whole; fields of them are found") {
    val source = "(SELECT named_struct('x', a, 'y', c) AS n, array(a, c) AS l FROM t)"
    oneScan(s"SELECT n FROM $source EXCEPT SELECT n FROM $source WHERE n.y = 1")
    oneScan(s"SELECT l FROM $source EXCEPT ALL SELECT l FROM $source WHERE array_contains(l, 1)")
  }

  test("sides that compute or read something else are left alone") {
    declined(Reason.DifferentSource)("SELECT a FROM t EXCEPT SELECT k FROM z WHERE k = 1")
    declined(Reason.SubqueryInBranch)(
      "SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = (SELECT min(a) FROM t)")
    def random = sql("SELECT a FROM t EXCEPT SELECT a FROM t WHERE rand(1) > 2")
    assert(verdicts(rule)(random) == Seq(Some(Reason.NonDeterministic)))
    declined(Reason.UnsupportedSource)("""SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 200)
      EXCEPT SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 200) WHERE a = 1""")
  }

  test("over a shared join or aggregation the whole of it is the source") {
    val joined = "(SELECT l.a, r.k FROM t l JOIN z r ON l.a = r.k)"
    def query = sql(s"SELECT * FROM $joined EXCEPT SELECT * FROM $joined WHERE k = 1")
    val (plan, entries) = planned(query)
    assertApplied(rule, entries, plan)
    assert(plan.collect { case j: Join => j }.length == 1, plan)
    checkAnswer(query, off(query))
    oneScan("""WITH g AS (SELECT a, count(*) AS n FROM t GROUP BY a)
      SELECT * FROM g EXCEPT SELECT * FROM g WHERE n > 28""")
  }

  test("a cached left side is still found") {
    withTempView("v") {
      sql("CREATE TEMP VIEW v AS SELECT a, c FROM t WHERE b < 3")
      spark.catalog.cacheTable("v")
      try {
        def query = sql("SELECT * FROM v EXCEPT SELECT * FROM v WHERE c = 1")
        val (plan, entries) = Report.collecting(query.queryExecution.executedPlan)
        assert(entries.exists(e => e.rule == rule && e.reason.isEmpty), entries)
        assert(plan.toString.contains("In-memory table"), plan)
        checkAnswer(query, off(query))
      } finally spark.catalog.uncacheTable("v")
    }
  }

  test("idempotent, and the very plan where nothing is done") {
    assertIdempotent(sql("SELECT a, c FROM t EXCEPT SELECT a, c FROM t WHERE c = 1"))
    assertIdempotent(sql("""SELECT a, c FROM t EXCEPT ALL SELECT a, c FROM t WHERE c = 1
      EXCEPT SELECT a, c FROM t WHERE a = 1"""))
    assertSameInstance(sql("SELECT a FROM t EXCEPT SELECT k FROM z"))
    assertSameInstance(sql("SELECT a FROM t EXCEPT ALL SELECT a FROM t WHERE rand(1) > 2"))
    assertSilent(sql("SELECT a, count(*) FROM t WHERE b = 1 GROUP BY a"))
  }

  test("output names, types and ids stay those of the left side") {
    val query = sql("SELECT a AS x, c AS y FROM t EXCEPT ALL SELECT a, c FROM t WHERE c = 1")
    val before = query.queryExecution.analyzed.output
    val after = SessionRewriteSetOperations(spark)(query.queryExecution.analyzed).output
    assert(before == after)
  }
}
