// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.functions.col

import io.sparksieve.report.core.Reason

class ReplaceSemiJoinWithFilterSuite extends SetOpTest {

  private val rule = "ReplaceSemiJoinWithFilter"

  private def oneScan(query: String): Unit = assertOneScan(rule)(sql(query))

  private def declined(reason: Reason)(query: String): Unit =
    assertDeclined(rule, reason)(sql(query))

  private def semi(on: String, filter: String, left: String = "t") =
    s"SELECT * FROM $left l LEFT SEMI JOIN (SELECT * FROM t WHERE $filter) r ON $on"

  test("a row with a partner stays once; a NULL key has none") {
    oneScan(semi("l.c = r.c", "c = 1"))
    oneScan(semi("l.c = r.c", "c >= 0 OR c IS NULL"))
    oneScan(semi("l.c = r.c", "true"))
    assert(sql(semi("l.c = r.c", "true")).where("c IS NULL").count() == 0)
    assert(sql(semi("l.c = r.c", "c = 1")).count() == sql("SELECT * FROM t WHERE c = 1").count())
  }

  test("<=> finds NULL for NULL") {
    oneScan(semi("l.c <=> r.c", "c IS NULL"))
    oneScan(semi("l.c <=> r.c", "true"))
    assert(sql(semi("l.c <=> r.c", "c IS NULL")).count() > 0)
  }

  test("several keys and filters over all of them") {
    oneScan(semi("l.a = r.a AND l.c <=> r.c", "a = 1 OR c IS NULL"))
    oneScan(semi("l.a = r.a AND l.c = r.c AND l.s = r.s", "s LIKE 's1%' AND a > c"))
    oneScan(semi("l.c = r.c", "b = 1 AND c = 1", "(SELECT * FROM t WHERE b = 1)"))
    oneScan("SELECT * FROM t LEFT SEMI JOIN (SELECT a, c FROM t WHERE c = 1) USING (a, c)")
  }

  test("filters on other columns, other keys and residual conditions stay joins") {
    declined(Reason.NotRowDetermined)(semi("l.a = r.a", "b = 2"))
    declined(Reason.ResidualCondition)(semi("l.a = r.a AND l.b < r.b", "a = 1"))
    declined(Reason.ResidualCondition)(semi("l.a = r.b", "b = 1"))
    declined(Reason.DifferentSource)("SELECT * FROM t l LEFT SEMI JOIN z r ON l.a = r.k")
  }

  test("EXISTS and IN as conjuncts") {
    oneScan("SELECT * FROM t l WHERE EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)")
    oneScan(
      "SELECT * FROM t l WHERE b = 1 AND EXISTS (SELECT 1 FROM t r WHERE l.c <=> r.c AND r.c IS NULL)")
    oneScan("SELECT * FROM t WHERE c IN (SELECT c FROM t WHERE c > 1)")
    oneScan("SELECT * FROM t WHERE c IN (SELECT c FROM t)")
    oneScan("SELECT * FROM t WHERE (a, c) IN (SELECT a, c FROM t WHERE c > 1 OR a = 2) AND b = 1")
    declined(Reason.NotRowDetermined)("SELECT * FROM t WHERE c IN (SELECT c FROM t WHERE b > 1)")
    declined(Reason.ResidualCondition)("SELECT * FROM t WHERE a IN (SELECT b FROM t WHERE b > 1)")
    declined(Reason.CorrelatedBranch)(
      "SELECT * FROM t l WHERE a IN (SELECT a FROM t r WHERE r.b = l.b AND r.a > 1)")
    declined(Reason.ResidualCondition)(
      "SELECT * FROM t l WHERE EXISTS (SELECT 1 FROM t r WHERE l.c < r.c)")
  }

  test("EXISTS is never NULL and may stand below OR and NOT") {
    oneScan(
      "SELECT * FROM t l WHERE a = 1 OR EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)")
    oneScan(
      "SELECT * FROM t l WHERE NOT (EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0) OR a = 2)")
    oneScan(
      "SELECT * FROM t l WHERE a = 1 OR NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)")
    oneScan("""SELECT * FROM t l WHERE EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)
      OR EXISTS (SELECT 1 FROM t r WHERE l.s = r.s AND r.s = 's1')""")
    oneScan("""SELECT * FROM t l
      WHERE CASE WHEN EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0) THEN a > 1 ELSE b > 1 END""")
  }

  test("IN below OR and NOT only where it is never NULL") {
    declined(Reason.NestedPredicate)(
      "SELECT * FROM t WHERE a = 1 OR c IN (SELECT c FROM t WHERE c > 1)")
    declined(Reason.NestedPredicate)(
      "SELECT * FROM t WHERE NOT (a = 1 OR c IN (SELECT c FROM t WHERE c > 1))")
    declined(Reason.NestedPredicate)(
      "SELECT * FROM t WHERE (c IN (SELECT c FROM t WHERE c > 1)) IS NULL OR a = 1")
    oneScan("SELECT * FROM t WHERE c IS NOT NULL AND (a = 1 OR c IN (SELECT c FROM t WHERE c > 1))")
    oneScan("SELECT * FROM t WHERE c >= 0 AND NOT (a = 1 OR c IN (SELECT c FROM t WHERE c > 1))")
    oneScan("SELECT * FROM range(10) WHERE id = 1 OR id IN (SELECT id FROM range(10) WHERE id > 7)")
  }

  test("keys and filters that are shorthands") {
    oneScan(
      "SELECT * FROM t WHERE nvl(c, 9) IN (SELECT nvl(c, 9) FROM t WHERE nvl(c, 9) BETWEEN 1 AND 9)")
    oneScan(semi("nvl(l.c, 9) = nvl(r.c, 9)", "nvl(c, 9) BETWEEN 1 AND 9"))
    oneScan(
      "SELECT * FROM t l WHERE EXISTS (SELECT 1 FROM t r WHERE nvl(l.c, 9) = nvl(r.c, 9) AND nvl(r.c, 9) > 1)")
  }

  test("one filter with predicates of both kinds") {
    def query = sql("""SELECT * FROM t l WHERE c IN (SELECT c FROM t WHERE c < 2)
      AND NOT EXISTS (SELECT 1 FROM t r WHERE l.s = r.s AND r.s = 's1')
      AND EXISTS (SELECT 1 FROM t r WHERE l.a = r.a AND r.a > 2)""")
    val (plan, entries) = planned(query)
    assertApplied(rule, entries, plan)
    assertApplied("ReplaceAntiJoinWithNotFilter", entries, plan)
    assert(scans(query) == 1)
    checkAnswer(query, off(query))
  }

  test("memberships inside memberships") {
    oneScan(
      "SELECT * FROM t WHERE c IN (SELECT c FROM t WHERE c > 0 AND c IN (SELECT c FROM t WHERE c < 3))")
    def query =
      sql("SELECT * FROM t WHERE a IN (SELECT k FROM z WHERE k IN (SELECT k FROM z WHERE k > 1))")
    assert(verdicts(rule)(query).toSet == Set(None, Some(Reason.DifferentSource)))
    checkAnswer(query, off(query))
  }

  test("-0.0, 0.0 and NaN as keys") {
    def join(filter: String) =
      s"SELECT l.k FROM z l LEFT SEMI JOIN (SELECT d FROM z WHERE $filter) r ON l.d = r.d"
    oneScan(join("d = 0.0"))
    oneScan(join("isnan(d) OR d > 1"))
    declined(Reason.TellsEqualValuesApart)(join("cast(d AS STRING) = '-0.0'"))
    oneScan("SELECT k FROM z WHERE d IN (SELECT d FROM z WHERE d = 0.0)")
  }

  test("strings of a collation as keys") {
    assume(collations)
    oneScan("SELECT b FROM cc WHERE c IN (SELECT c FROM cc WHERE c = 'A')")
    declined(Reason.TellsEqualValuesApart)(
      "SELECT b FROM cc WHERE c IN (SELECT c FROM cc WHERE c COLLATE UTF8_BINARY = 'A')")
  }

  test("the DataFrame API, views and WITH") {
    val t = spark.table("t")
    assertOneScan(rule)(
      t.as("l").join(t.where("c = 1").as("r"), col("l.c") === col("r.c"), "left_semi"))
    assertOneScan(rule)(t.join(t.where("c = 1"), Seq("c"), "left_semi"))
    withTempView("v") {
      sql("CREATE TEMP VIEW v AS SELECT a AS x, c AS y FROM t WHERE b < 4")
      oneScan("SELECT * FROM v WHERE y IN (SELECT y FROM v WHERE y = 1)")
    }
    oneScan(
      "WITH r AS (SELECT a, c FROM t) SELECT * FROM r WHERE c IN (SELECT c FROM r WHERE c = 1)")
    declined(Reason.DifferentSource)(
      "SELECT a, c FROM t GROUP BY a, c HAVING c IN (SELECT c FROM t WHERE c > 0) AND c > -1")
  }

  test("idempotent, and the very plan where nothing is done") {
    assertIdempotent(sql(semi("l.c = r.c", "c = 1")))
    assertIdempotent(
      sql(
        "SELECT * FROM t l WHERE a = 1 OR EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)"))
    assertSameInstance(sql(semi("l.a = r.a", "b = 2")))
    assertSameInstance(sql("SELECT * FROM t WHERE a = 1 OR c IN (SELECT c FROM t WHERE c > 1)"))
  }
}
