// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.Row

import io.sparksieve.report.core.Reason
import io.sparksieve.setop.rewrite.SessionRewriteSetOperations

class ReplaceIntersectWithFilterSuite extends SetOpTest {

  private val rule = "ReplaceIntersectWithFilter"

  private def oneScan(query: String): Unit = assertOneScan(rule)(sql(query))

  private def declined(reason: Reason)(query: String): Unit =
    withoutCounting(assertDeclined(rule, reason)(sql(query)))

  private val both = Seq("INTERSECT", "INTERSECT ALL")

  test("either side's filter may be the one that the columns determine") {
    for (op <- both) {
      oneScan(s"SELECT a, c FROM t WHERE b < 3 $op SELECT a, c FROM t WHERE c = 1")
      oneScan(s"SELECT a, c FROM t WHERE c = 1 $op SELECT a, c FROM t WHERE b < 3")
      oneScan(s"SELECT a, c FROM t WHERE c = 1 $op SELECT a, c FROM t WHERE a > 3")
      oneScan(s"SELECT a, c FROM t $op SELECT a, c FROM t WHERE b < 3")
      oneScan(s"SELECT a, c FROM t WHERE b < 3 $op SELECT a, c FROM t")
      oneScan(s"SELECT a FROM t WHERE b = 1 $op SELECT a FROM t WHERE b = 1")
    }
  }

  test("duplicates: INTERSECT ALL keeps as many copies as the other side's filter leaves") {
    val query = "SELECT a FROM t WHERE a < 2 INTERSECT ALL SELECT a FROM t WHERE b = 0"
    oneScan(query)
    assert(sql(query).count() == sql("SELECT a FROM t WHERE a < 2 AND b = 0").count())
    checkAnswer(
      sql("SELECT a FROM t WHERE a < 2 INTERSECT SELECT a FROM t WHERE b = 0"),
      Seq(Row(0), Row(1)))
  }

  test("NULL rows meet NULL rows, but a NULL condition keeps a row out") {
    for (op <- both) {
      oneScan(s"SELECT c FROM t $op SELECT c FROM t WHERE c IS NULL OR c = 1")
      oneScan(s"SELECT c, s FROM t WHERE s > 's1' $op SELECT c, s FROM t WHERE c < 2")
      oneScan(s"SELECT c FROM t $op SELECT c FROM t WHERE c <=> NULL")
    }
    checkAnswer(sql("SELECT c FROM t INTERSECT SELECT c FROM t WHERE c <=> NULL"), Row(null))
  }

  test("neither filter determined by the columns: left to the counting rewrite") {
    for (op <- both) {
      declined(Reason.NotRowDetermined)(
        s"SELECT a FROM t WHERE b < 3 $op SELECT a FROM t WHERE b > 1")
    }
  }

  test("a filter that both sides share needs no proof") {
    for (op <- both) {
      oneScan(s"SELECT a FROM t WHERE b = 1 AND c = 1 $op SELECT a FROM t WHERE b = 1 AND a > 3")
      oneScan(s"SELECT a FROM t WHERE b = 1 AND a > 3 $op SELECT a FROM t WHERE b = 1 AND c = 1")
    }
  }

  test("INTERSECT ALL with a DISTINCT side: only the other side may be filtered") {
    oneScan("SELECT DISTINCT a FROM t INTERSECT ALL SELECT a FROM t WHERE a > 3")
    oneScan("SELECT a FROM t WHERE a > 3 INTERSECT ALL SELECT DISTINCT a FROM t")
    declined(Reason.DistinctBranch)(
      "SELECT a FROM t WHERE b = 1 INTERSECT ALL SELECT DISTINCT a FROM t WHERE a > 3")
    oneScan("SELECT a FROM t WHERE b = 1 INTERSECT SELECT DISTINCT a FROM t WHERE a > 3")
  }

  test("names and ids of the left side, whichever side's rows are kept") {
    for (right <- Seq("c = 1", "b = 1")) {
      val query =
        sql(s"SELECT a AS x, c AS y FROM t WHERE a > 2 INTERSECT SELECT a, c FROM t WHERE $right")
      val analyzed = query.queryExecution.analyzed
      val after = SessionRewriteSetOperations(spark)(analyzed).output
      assert(analyzed.output.map(a => (a.name, a.exprId)) == after.map(a => (a.name, a.exprId)))
      oneScan(
        s"SELECT x FROM (SELECT a AS x, c AS y FROM t WHERE a > 2 INTERSECT SELECT a, c FROM t WHERE $right)")
    }
  }

  test("chains and n-ary mixtures with EXCEPT and UNION") {
    oneScan("""SELECT a, c FROM t WHERE b < 3 INTERSECT SELECT a, c FROM t WHERE c = 1
      INTERSECT SELECT a, c FROM t WHERE a > 2""")
    oneScan(
      "SELECT a, c FROM t INTERSECT (SELECT a, c FROM t EXCEPT SELECT a, c FROM t WHERE c = 1)")
    oneScan(
      "SELECT a FROM t INTERSECT (SELECT a FROM t WHERE a = 1 UNION SELECT a FROM t WHERE a = 2)")
  }

  test("the DataFrame API, views and WITH") {
    val t = spark.table("t")
    assertOneScan(rule)(t.intersect(t.where("c = 1")))
    assertOneScan(rule)(t.where("b < 3").intersectAll(t.where("c = 1")))
    withTempView("v") {
      sql("CREATE TEMP VIEW v AS SELECT a AS x, c AS y FROM t WHERE b < 4")
      oneScan("SELECT * FROM v INTERSECT SELECT * FROM v WHERE y = 1")
    }
    oneScan(
      "WITH r AS (SELECT a, c FROM t) SELECT * FROM r WHERE c = 1 INTERSECT SELECT * FROM r WHERE a > 1")
  }

  test("INTERSECT ALL of floats, as a side of a UNION of the same source") {
    val side = "SELECT d, k FROM (SELECT * FROM z WHERE k > 0)"
    val query = s"($side INTERSECT ALL $side) UNION $side"
    val (plan, entries) = planned(sql(query))
    assert(!entries.exists(_.reason.contains(Reason.InternalError)), s"$entries\n$plan")
    checkAnswer(sql(query), off(sql(query)))
  }

  test(
    "floats above a grouping: Parquet loses rows of the side that compares, whose counts differ") {
    withTable("zp") {
      sql("CREATE TABLE zp USING parquet AS SELECT * FROM z")
      floatsAboveGrouping("(SELECT d, count(*) AS n FROM zp GROUP BY d)")
    }
    val counted = "(SELECT d, count(*) AS n FROM z GROUP BY d)"
    oneScan(s"SELECT * FROM $counted WHERE d = 0.0D INTERSECT SELECT * FROM $counted WHERE n > 0")
  }

  private def floatsAboveGrouping(counted: String): Unit = {
    declined(Reason.PushdownSensitiveSource)(
      s"SELECT * FROM $counted WHERE d = 0.0D INTERSECT SELECT * FROM $counted WHERE n > 0")
    declined(Reason.PushdownSensitiveSource)(
      s"WITH c AS $counted SELECT * FROM c WHERE d = 0.0D INTERSECT SELECT * FROM c WHERE n > 0")
    declined(Reason.PushdownSensitiveSource)(
      s"SELECT * FROM $counted WHERE d = 1.5D INTERSECT SELECT * FROM $counted WHERE n > 0")
    oneScan(
      s"SELECT * FROM $counted WHERE d = 0.0D AND n > 0 INTERSECT SELECT * FROM $counted WHERE d = 0.0D")
  }

  test("-0.0, 0.0 and NaN") {
    for (op <- both) {
      oneScan(s"SELECT d FROM z WHERE k < 6 $op SELECT d FROM z WHERE d = 0.0 OR isnan(d)")
      oneScan(
        s"SELECT cast(d AS STRING) FROM (SELECT d FROM z WHERE d = 0.0 $op SELECT d FROM z WHERE k > 1)")
      declined(Reason.TellsEqualValuesApart)(
        s"SELECT d FROM z WHERE k = 1 $op SELECT d FROM z WHERE cast(d AS STRING) = '-0.0'")
    }
    // The left filter must not tell zeros apart either: Spark would replace d by 0.0.
    declined(Reason.TellsEqualValuesApart)(
      "SELECT d FROM z WHERE cast(d AS STRING) = '-0.0' INTERSECT ALL SELECT d FROM z WHERE d = 0.0")
  }

  test("strings of a collation come from the left side") {
    assume(collations)
    def spelling = sql(
      "SELECT c COLLATE UTF8_BINARY FROM (SELECT c FROM cc WHERE b = 2 INTERSECT SELECT c FROM cc WHERE c = 'a')")
    assertOneScan(rule)(spelling)
    checkAnswer(spelling, Row("A"))
    withoutCounting {
      assert(verdicts(rule) {
        sql("SELECT c FROM cc WHERE c = 'a' INTERSECT SELECT c FROM cc WHERE b = 2")
      } == Seq(Some(Reason.NotRowDetermined)))
      assert(verdicts(rule) {
        sql("SELECT c FROM cc INTERSECT ALL SELECT c FROM cc WHERE c = 'a'")
      } == Seq(Some(Reason.MergedValues)))
    }
  }

  test("other columns, other sources, chance and subqueries are left alone") {
    declined(Reason.DifferentProjection)(
      "SELECT a, b FROM t INTERSECT SELECT b, a FROM t WHERE a = 1")
    declined(Reason.DifferentSource)("SELECT a FROM t INTERSECT SELECT k FROM z")
    declined(Reason.SubqueryInBranch)(
      "SELECT a FROM t INTERSECT SELECT a FROM t WHERE a = (SELECT max(k) FROM z)")
    def random = sql("SELECT a FROM t INTERSECT SELECT a FROM t WHERE rand(1) >= 0")
    assert(verdicts(rule)(random) == Seq(Some(Reason.NonDeterministic)))
  }

  test("idempotent, and the very plan where nothing is done") {
    for (op <- both) {
      assertIdempotent(sql(s"SELECT a, c FROM t WHERE b < 3 $op SELECT a, c FROM t WHERE c = 1"))
      assertSameInstance(sql(s"SELECT a FROM t $op SELECT k FROM z"))
    }
  }
}
