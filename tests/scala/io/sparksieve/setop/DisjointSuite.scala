// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.types._

import io.sparksieve.{SieveTest, TestedLine}
import io.sparksieve.setop.proof.{Branch, Disjoint, SetOpContext}

/** Tests each proof with SQL conditions that Spark resolves, in both directions. */
class DisjointSuite extends SieveTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("""CREATE TABLE v (i INT, l BIGINT, d DOUBLE, f FLOAT, s STRING, b BOOLEAN, dt DATE,
      ts TIMESTAMP, n DECIMAL(10, 2), bin BINARY, st STRUCT<x: INT, y: DOUBLE>) USING parquet""")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS v")
    finally super.afterAll()

  private def disjoint(left: String, right: String): Boolean = {
    def conditions(filter: String) = {
      val plan = sql(s"SELECT * FROM v WHERE $filter").queryExecution.analyzed
      val (views, _) = Branch.of(plan, new SetOpContext(spark.sessionState.conf))
      views.last.conditions.map(byName)
    }
    val (l, r) = (conditions(left), conditions(right))
    assert(Disjoint(l, r) == Disjoint(r, l), s"not symmetric: $left, $right")
    Disjoint(l, r)
  }

  // Each analysis assigns its own expression ids, so attributes get one id per name.
  private def byName(e: Expression): Expression = e.transform { case a: AttributeReference =>
    AttributeReference(a.name, a.dataType)(ids(a.name))
  }

  private val ids: Map[String, ExprId] =
    Seq("i", "l", "d", "f", "s", "b", "dt", "ts", "n", "bin", "st")
      .map(_ -> NamedExpression.newExprId)
      .toMap

  private def yes(left: String, right: String): Unit =
    assert(disjoint(left, right), s"should be disjoint: $left, $right")

  private def no(left: String, right: String): Unit =
    assert(!disjoint(left, right), s"should not be provably disjoint: $left, $right")

  test("boundaries, open and closed") {
    yes("i < 3", "i >= 3")
    yes("i <= 3", "i > 3")
    yes("i < 3", "i > 3")
    no("i <= 3", "i >= 3")
    no("i < 4", "i > 2")
    no("i < 3", "i < 5")
    no("i > 3", "i >= 5")
    yes("3 > i", "3 <= i")
    no("3 >= i", "3 <= i")
    yes("i = 3", "i < 3")
    yes("i = 3", "i > 3")
    no("i = 3", "i <= 3")
    no("i = 3", "i >= 3")
    yes("i = 3", "i = 4")
    no("i = 3", "i = 3")
    yes("i BETWEEN 1 AND 3", "i BETWEEN 4 AND 6")
    no("i BETWEEN 1 AND 3", "i BETWEEN 3 AND 6")
  }

  test("IN lists") {
    yes("i IN (1, 2)", "i IN (3, 4)")
    no("i IN (1, 2)", "i IN (2, 3)")
    yes("i IN (1, 2)", "i > 2")
    no("i IN (1, 2)", "i >= 2")
    yes("i IN (1, NULL)", "i IN (2, NULL)")
    yes("i IN (1, 2)", "i NOT IN (1, 2)")
    no("i IN (1, 2)", "i NOT IN (1)")
    no("i IN (1, l)", "i = 2")
  }

  test("NULL: IS NULL contradicts what a NULL never passes, and nothing else") {
    yes("i IS NULL", "i IS NOT NULL")
    yes("i IS NULL", "i > 3")
    yes("i IS NULL", "i IN (1, NULL)")
    yes("i IS NULL", "i = l")
    yes("i IS NULL", "i <=> 3")
    no("i IS NULL", "i <=> NULL")
    no("i IS NULL", "i <=> l")
    no("i IS NULL", "l = 3")
    no("i IS NULL", "i = 3 OR l = 3")
    yes("i IS NULL", "i = 3 OR i > 5")
    no("i IS NULL", "coalesce(i, 1) = 1")
    no("i <=> NULL", "i = NULL")
    no("i = NULL", "i = NULL")
  }

  test("a condition and its negation; both are not TRUE where it is NULL") {
    yes("b", "NOT b")
    yes("i = l", "NOT (i = l)")
    yes("s LIKE 'a%'", "s NOT LIKE 'a%'")
    no("s LIKE 'a%'", "s NOT LIKE 'b%'")
    no("NOT b", "NOT b")
  }

  test("OR is disjoint if both parts are; AND if one is") {
    yes("i = 1 OR i = 2", "i = 3 OR i = 4")
    no("i = 1 OR i = 2", "i = 2 OR i = 4")
    yes("i = 1 AND l = 1", "i = 2 AND l = 1")
    no("i = 1 AND l = 1", "i = 1 AND d = 1")
    yes("(i = 1 AND l = 1) OR (i = 2 AND l = 2)", "i = 3")
    no("(i = 1 AND l = 1) OR l = 2", "i = 3")
    no("i = 1", "l = 2")
  }

  test("doubles: -0.0 is 0.0, and NaN is greater than all") {
    no("d = 0.0D", "d = -0.0D")
    no("d <= -0.0D", "d >= 0.0D")
    yes("d < -0.0D", "d >= 0.0D")
    yes("d < 0.0D", "d = -0.0D")
    no("d = double('NaN')", "d > 1.0D")
    yes("d <= 1.0D", "d > 1.0D")
    no("isnan(d)", "d > 1.0D")
    no("d IN (0.0D, 1.0D)", "d = -0.0D")
    yes("f < float(1)", "f > float(1)")
    no("f = float('NaN')", "f > float(1)")
    def nan(bits: Long) = EqualTo(
      AttributeReference("d", DoubleType)(ids("d")),
      Literal(java.lang.Double.longBitsToDouble(bits)))
    assert(!Disjoint(Seq(nan(0x7ff8000000000000L)), Seq(nan(0x7ff8000000000001L))))
  }

  test("other types: strings, decimals, dates, timestamps, binary, structs") {
    yes("s = 'a'", "s = 'b'")
    yes("s < 'b'", "s >= 'b'")
    no("s < 'b'", "s > 'a'")
    no("s = 'a'", "s = 'a'")
    yes("s = 'a'", "s = 'a '")
    yes("n < 1.50BD", "n >= 1.50BD")
    yes("n = 1.5BD", "n = 1.51BD")
    no("n = 1.5BD", "n = 1.50BD")
    yes("dt < DATE'2020-01-01'", "dt >= DATE'2020-01-01'")
    no("dt <= DATE'2020-01-01'", "dt >= DATE'2020-01-01'")
    yes("ts = TIMESTAMP'2020-01-01 00:00:00'", "ts = TIMESTAMP'2020-01-01 00:00:01'")
    yes("bin = X'01'", "bin = X'02'")
    yes("st.x = 1", "st.x = 2")
    no("st.x = 1", "st.y = 2")
  }

  test("constants that analysis has cast to the column's type") {
    yes("l < 3", "l >= 3")
    no("l <= 3", "l >= 3")
    yes("l IN (1, 2)", "l = 3")
    yes("dt < '2020-01-01'", "dt > '2020-01-01'")
    no("dt < 'no date'", "dt > '2020-01-01'")
    yes("l BETWEEN 1 AND 3", "l BETWEEN 4 AND 6")
    no("l BETWEEN 1 AND 4", "l BETWEEN 4 AND 6")
    yes("l NOT BETWEEN 1 AND 4", "l = 3")
    yes("l NOT BETWEEN 1 AND 4", "l BETWEEN 2 AND 4")
    no("l NOT BETWEEN 1 AND 4", "l BETWEEN 2 AND 5")
  }

  test("NOT before a comparison, AND, OR and NOT") {
    yes("NOT (i < 3)", "i < 3")
    yes("NOT (i <= 3)", "i = 3")
    yes("NOT (i > 3)", "i > 3")
    yes("NOT (i >= 3)", "i = 4")
    yes("NOT (i < 3 AND l < 3)", "i = 1 AND l = 1")
    no("NOT (i < 3 AND l < 3)", "i = 1")
    yes("NOT (i < 3 OR l < 3)", "i = 1")
    no("NOT (NOT (i < 3))", "i = 1")
    no("NOT (i <> 3)", "i = 3")
  }

  test("the same expression, not only a column") {
    yes("i + 1 < 3", "i + 1 >= 3")
    yes("year(dt) = 2020", "year(dt) = 2021")
    no("i + 1 < 3", "i + 2 >= 3")
    no("upper(s) = 'A'", "lower(s) = 'b'")
  }

  test("strings of a collation are left out") {
    assume(TestedLine.atLeast("4.0"))
    assert(!disjoint("s COLLATE UTF8_LCASE = 'a'", "s COLLATE UTF8_LCASE = 'A'"))
    assert(!disjoint("s COLLATE UTF8_LCASE < 'B'", "s COLLATE UTF8_LCASE >= 'a'"))
  }

  test("no condition at all, and conditions that are not resolved comparisons") {
    assert(!Disjoint(Nil, Nil))
    assert(!Disjoint(Nil, Seq(Literal.FalseLiteral)))
    assert(Disjoint(Seq(IsNull(Literal(1, IntegerType))), Seq(IsNotNull(Literal(1, IntegerType)))))
  }
}
