// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.Row
import org.apache.spark.sql.functions.col

import io.sparksieve.report.core.Reason

class ReplaceAntiJoinWithNotFilterSuite extends SetOpTest {

  private val rule = "ReplaceAntiJoinWithNotFilter"

  private def oneScan(query: String): Unit = assertOneScan(rule)(sql(query))

  private def declined(reason: Reason)(query: String): Unit =
    assertDeclined(rule, reason)(sql(query))

  private def anti(on: String, filter: String, left: String = "t") =
    s"SELECT * FROM $left l LEFT ANTI JOIN (SELECT * FROM t WHERE $filter) r ON $on"

  test("a row without partner stays, a row with a NULL key too") {
    oneScan(anti("l.c = r.c", "c = 1"))
    oneScan(anti("r.c = l.c", "c > 0 AND c < 2"))
    assert(sql(anti("l.c = r.c", "c = 1")).where("c IS NULL").count() > 0)
    oneScan(anti("l.c = r.c", "c IS NULL"))
    oneScan(anti("l.c = r.c", "c IS NULL OR c = 2"))
    oneScan(anti("l.a = r.a", "true"))
    oneScan(anti("l.c = r.c", "true"))
    checkAnswer(sql(anti("l.c = r.c", "true")).select("c").distinct(), Row(null))
  }

  test("<=> finds NULL for NULL") {
    oneScan(anti("l.c <=> r.c", "c IS NULL OR c = 1"))
    oneScan(anti("l.c <=> r.c", "c = 1"))
    oneScan(anti("l.c <=> r.c", "true"))
    checkAnswer(sql(anti("l.c <=> r.c", "true")), Nil)
    assert(sql(anti("l.c <=> r.c", "c IS NULL")).where("c IS NULL").count() == 0)
  }

  test("several keys, some of them null-safe; duplicates of keys do not matter") {
    oneScan(anti("l.a = r.a AND l.c = r.c", "a > c"))
    oneScan(anti("l.a = r.a AND l.c <=> r.c AND l.s = r.s", "c = 1 OR s = 's1'"))
    oneScan(anti("l.a = r.a AND l.c = r.c", "c = 1"))
    oneScan(anti("l.c = r.c AND l.c = r.c", "c = 1"))
    oneScan("SELECT * FROM t LEFT ANTI JOIN (SELECT a, c FROM t WHERE c = 1) USING (a, c)")
  }

  test("the left side may have filters and projections of its own") {
    oneScan(anti("l.c = r.c", "c = 1", "(SELECT * FROM t WHERE b < 3)"))
    oneScan(
      "SELECT * FROM (SELECT a % 4 AS n FROM t) l LEFT ANTI JOIN (SELECT a % 4 AS n FROM t WHERE a % 4 > 1) r ON l.n = r.n")
    oneScan(anti("l.c = r.c", "b = 1 AND c = 1", "(SELECT * FROM t WHERE b = 1)"))
    oneScan(
      "SELECT * FROM (SELECT DISTINCT a, c FROM t) l LEFT ANTI JOIN (SELECT DISTINCT c FROM t WHERE c = 1) r ON l.c = r.c")
    oneScan(
      "SELECT * FROM t l LEFT ANTI JOIN (SELECT a % 4 AS n FROM t WHERE a % 4 > 1) r ON l.a % 4 = r.n")
  }

  test("a filter on other columns than the keys depends on the partner") {
    declined(Reason.NotRowDetermined)(anti("l.a = r.a", "b = 2"))
    declined(Reason.NotRowDetermined)(anti("l.a = r.a", "a = 1 AND c = 2"))
    declined(Reason.NotRowDetermined)(
      anti("l.c = r.c", "b = 1 AND c = 1", "(SELECT * FROM t WHERE b = 2)"))
  }

  test("anything but equalities of the same column stays a join") {
    declined(Reason.ResidualCondition)(anti("l.a = r.a AND l.b < r.b", "a = 1"))
    declined(Reason.ResidualCondition)(anti("l.a = r.b", "b = 1"))
    declined(Reason.ResidualCondition)(anti("l.a > r.a", "a = 1"))
    declined(Reason.ResidualCondition)(anti("l.a = r.a AND l.b = 1", "a = 1"))
    declined(Reason.ResidualCondition)(anti("l.a = r.a OR l.b = r.b", "a = 1 AND b = 1"))
    declined(Reason.ResidualCondition)(
      "SELECT * FROM t l LEFT ANTI JOIN (SELECT * FROM t WHERE a = 1) r")
    declined(Reason.DifferentSource)("SELECT * FROM t l LEFT ANTI JOIN z r ON l.a = r.k")
  }

  test("NOT EXISTS, correlated by equality") {
    oneScan("SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)")
    oneScan("SELECT * FROM t l WHERE NOT EXISTS (SELECT * FROM t r WHERE r.c <=> l.c AND r.c > 0)")
    oneScan(
      "SELECT a FROM t l WHERE b = 1 AND NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND l.a = r.a AND r.c > r.a)")
    oneScan(
      "SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM (SELECT * FROM t WHERE c = 1) r WHERE l.c = r.c)")
  }

  test("NOT EXISTS, correlated otherwise or not at all") {
    declined(Reason.ResidualCondition)(
      "SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM t r WHERE l.c < r.c AND r.c > 0)")
    declined(Reason.ResidualCondition)(
      "SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND l.a <> r.a)")
    declined(Reason.ResidualCondition)(
      "SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND l.a > 3)")
    declined(Reason.ResidualCondition)(
      "SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM t r WHERE r.c > 5)")
    declined(Reason.NotRowDetermined)(
      "SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.b = 1)")
  }

  test("EXISTS over an aggregation always has a row") {
    def query = sql(
      "SELECT * FROM t l WHERE NOT EXISTS (SELECT count(*) FROM t r WHERE l.c = r.c AND r.c > 0)")
    assert(!verdicts(rule)(query).contains(None))
    checkAnswer(query, off(query))
  }

  test("NOT IN where no key can be NULL") {
    oneScan("SELECT * FROM t WHERE c IS NOT NULL AND c NOT IN (SELECT c FROM t WHERE c > 1)")
    oneScan("SELECT * FROM t WHERE c NOT IN (SELECT c FROM t WHERE c > 1) AND c IS NOT NULL")
    oneScan("SELECT * FROM t WHERE c < 5 AND c NOT IN (SELECT c FROM t WHERE c = 1 OR c = 2)")
    oneScan("SELECT * FROM range(10) WHERE id NOT IN (SELECT id FROM range(10) WHERE id > 3)")
    oneScan(
      "SELECT * FROM t WHERE a > 0 AND c > 0 AND (a, c) NOT IN (SELECT a, c FROM t WHERE c > 1 AND a > 2)")
  }

  test("NOT IN where a key may be NULL: one NULL on the right makes it NULL for every row") {
    declined(Reason.NullableKey)("SELECT * FROM t WHERE c NOT IN (SELECT c FROM t WHERE c > 1)")
    declined(Reason.NullableKey)(
      "SELECT * FROM t WHERE c IS NOT NULL AND c NOT IN (SELECT c FROM t)")
    declined(Reason.NullableKey)(
      "SELECT * FROM t WHERE c IS NOT NULL AND c NOT IN (SELECT c FROM t WHERE c IS NULL OR c = 1)")
    declined(Reason.NullableKey)(
      "SELECT * FROM t WHERE a > 0 AND (a, c) NOT IN (SELECT a, c FROM t WHERE a > 3 AND c > 1)")
    checkAnswer(sql("SELECT * FROM t WHERE c IS NOT NULL AND c NOT IN (SELECT c FROM t)"), Nil)
    checkAnswer(
      sql("SELECT * FROM t WHERE c NOT IN (SELECT c FROM t WHERE c > 100)"),
      sql("SELECT * FROM t").collect().toSeq)
  }

  test("NOT IN over another column, another filter, a correlation") {
    declined(Reason.ResidualCondition)(
      "SELECT * FROM t WHERE a IS NOT NULL AND a NOT IN (SELECT b FROM t WHERE b > 1)")
    declined(Reason.NotRowDetermined)(
      "SELECT * FROM t WHERE a IS NOT NULL AND a NOT IN (SELECT a FROM t WHERE b > 1 AND a > 1)")
    def correlated = sql(
      "SELECT * FROM t l WHERE l.a IS NOT NULL AND l.a NOT IN (SELECT a FROM t r WHERE r.b = l.b AND r.a > 1)")
    assert(!verdicts(rule)(correlated).contains(None))
    checkAnswer(correlated, off(correlated))
  }

  test("a scalar subquery is no membership") {
    assertSilent(sql("SELECT * FROM t l WHERE a > (SELECT max(c) FROM t r WHERE r.c = 1)"))
    assertSilent(sql("SELECT * FROM t l WHERE NOT (a = (SELECT max(c) FROM t r WHERE l.c = r.c))"))
  }

  test("-0.0, 0.0 and NaN as keys") {
    for (equal <- Seq("=", "<=>")) {
      def join(filter: String) =
        s"SELECT l.k FROM z l LEFT ANTI JOIN (SELECT d FROM z WHERE $filter) r ON l.d $equal r.d"
      oneScan(join("d = 0.0"))
      oneScan(join("isnan(d)"))
      oneScan(join("d > 1.0"))
      declined(Reason.TellsEqualValuesApart)(join("cast(d AS STRING) = '-0.0'"))
    }
  }

  test("strings of a collation as keys") {
    assume(collations)
    def join(filter: String) =
      s"SELECT l.b FROM cc l LEFT ANTI JOIN (SELECT c FROM cc WHERE $filter) r ON l.c = r.c"
    oneScan(join("c = 'A'"))
    declined(Reason.TellsEqualValuesApart)(join("c COLLATE UTF8_BINARY = 'A'"))
  }

  test("chance is left alone") {
    def query = sql(anti("l.c = r.c", "c = 1 AND rand(1) >= 0"))
    assert(verdicts(rule)(query) == Seq(Some(Reason.NonDeterministic)))
    checkAnswer(query, off(query))
  }

  test("the DataFrame API, views and WITH") {
    val t = spark.table("t")
    assertOneScan(rule)(
      t.as("l").join(t.where("c = 1").as("r"), col("l.c") === col("r.c"), "left_anti"))
    assertOneScan(rule)(t.join(t.where("c = 1"), Seq("c"), "left_anti"))
    withTempView("v") {
      sql("CREATE TEMP VIEW v AS SELECT a AS x, c AS y FROM t WHERE b < 4")
      oneScan("SELECT * FROM v l LEFT ANTI JOIN (SELECT y FROM v WHERE y = 1) r ON l.y = r.y")
    }
    oneScan(
      "WITH r AS (SELECT a, c FROM t) SELECT * FROM r l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.c = l.c AND r.c = 1)")
  }

  test("idempotent, and the very plan where nothing is done") {
    assertIdempotent(sql(anti("l.c = r.c", "c = 1")))
    assertIdempotent(
      sql("SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)"))
    assertSameInstance(sql(anti("l.a = r.a", "b = 2")))
    assertSameInstance(sql("SELECT * FROM t WHERE c NOT IN (SELECT c FROM t WHERE c > 1)"))
  }
}
