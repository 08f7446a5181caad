// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.values

import org.apache.spark.sql.Row

import io.sparksieve.TestedLine

/**
 * Values that the operations treat as equal but other expressions tell apart; also, which queries
 * with them are rewritten.
 */
class EqualValuesSuite extends EqualValuesTest {

  private val Semi = "ReplaceSemiJoinWithFilter"
  private val Anti = "ReplaceAntiJoinWithNotFilter"
  private val Except = "ReplaceExceptWithNotFilter"
  private val Intersect = "ReplaceIntersectWithFilter"

  // --- Zeros and NaNs ---------------------------------------------------------------------------

  test("a variable that is set between the sides") {
    assume(TestedLine.atLeast("4.0"), "Spark 3.5 has no session variables.")
    sql("DECLARE OR REPLACE VARIABLE zero DOUBLE DEFAULT 0.0D")
    try {
      def side = sql("SELECT s FROM zeros WHERE i > 0 AND CAST(zero AS STRING) = '0.0'")
      val left = side
      checkAnswer(left.exceptAll(side.where("s = '1.5'")), Row("0.0"))
      sql("SET VARIABLE zero = -0.0D")
      checkAnswer(left.exceptAll(side), Seq(Row("0.0"), Row("1.5")))
    } finally sql("DROP TEMPORARY VARIABLE zero")
  }

  test("a text of a double as key: an equality beside it may not decide for the other zero") {
    for (form <- Seq(
        "SELECT e, k FROM (SELECT d AS e, k FROM z WHERE d = 0.0D) LEFT SEMI JOIN " +
          "(SELECT d FROM z WHERE cast(d AS STRING) = '-0.0') ON cast(e AS STRING) = cast(d AS STRING)",
        "SELECT d, k FROM z WHERE d = 0.0D AND cast(d AS STRING) IN " +
          "(SELECT cast(d AS STRING) FROM z WHERE cast(d AS STRING) = '-0.0')"
      )) same(Row(-0.0, 2), Row(-0.0, 6))(form)
    // Spark turns the correlation into a join, and replaces the join's keys by the constant.
    for (not <- Seq("", "NOT "))
      asSpark(
        s"SELECT d, k FROM z l WHERE d = 0.0D AND ${not}EXISTS " +
          "(SELECT 1 FROM z r WHERE cast(r.d AS STRING) = '-0.0' " +
          "AND cast(r.d AS STRING) = cast(l.d AS STRING))")
  }

  test("a text of a double as column") {
    same(Row("-0.0"))(
      "SELECT cast(d AS STRING) s FROM z WHERE d = 0.0D EXCEPT " +
        "SELECT cast(d AS STRING) s FROM z WHERE cast(d AS STRING) = '0.0'")
    same(Row("-0.0"))(
      "SELECT cast(d AS STRING) s FROM z WHERE d = 0.0D INTERSECT " +
        "SELECT cast(d AS STRING) s FROM z WHERE cast(d AS STRING) = '-0.0'")
    same(Row("-0.0"))(
      "SELECT s FROM (SELECT cast(d AS STRING) s, k FROM z WHERE d = 0.0D AND k > 1 INTERSECT " +
        "SELECT cast(d AS STRING) s, k FROM z WHERE cast(d AS STRING) = '-0.0') WHERE k < 3")
  }

  test("a key that is made of other types merges values all the same") {
    // Zeros from a text, a product and a function: the key is a double, its columns are not.
    for (zero <- Seq("cast(s AS DOUBLE)", "i * 0.0D", "abs(i) * 0.0D * i")) {
      def key(side: String) = zero.replaceAll("\\b([si])\\b", s"$side.$$1")
      val text = s"cast($zero AS STRING) = '-0.0'"
      val rows =
        if (zero.startsWith("cast")) Seq(Row("-0.0"), Row("0.0"))
        else Seq(Row("-0.0"), Row("0.0"), Row("1.5"))
      same(rows: _*)(
        s"SELECT s FROM zeros l LEFT SEMI JOIN (SELECT * FROM zeros WHERE $text) r " +
          s"ON ${key("l")} = ${key("r")}")
      same(rows: _*)(s"SELECT s FROM zeros WHERE $zero IN (SELECT $zero FROM zeros WHERE $text)")
      same(rows: _*)(
        s"SELECT s FROM zeros l WHERE EXISTS (SELECT 1 FROM zeros r WHERE ${text} " +
          s"AND ${key("r")} = ${key("l")})")
    }
  }

  test("DISTINCT below a key, and GROUP BY below a column, make one zero of two") {
    // The only zero in the table is negative; grouping makes it positive. Spark pushes semi-joins
    // and filters below the grouping, where the zero is still negative.
    asSpark(
      "SELECT * FROM (SELECT DISTINCT d FROM minus) l LEFT SEMI JOIN minus r " +
        "ON cast(l.d AS STRING) = cast(r.d AS STRING)")
    asSpark(
      "SELECT * FROM (SELECT DISTINCT d FROM minus) l LEFT ANTI JOIN minus r " +
        "ON cast(l.d AS STRING) = cast(r.d AS STRING)")
    same()(
      "SELECT d, k FROM minus WHERE cast(d AS STRING) IN " +
        "(SELECT cast(d AS STRING) FROM (SELECT DISTINCT d FROM minus))")
    val grouped = "SELECT cast(d AS STRING) s FROM (SELECT DISTINCT d FROM z WHERE k < 3)"
    asSpark(s"$grouped EXCEPT SELECT s FROM ($grouped) WHERE s = '0.0'")
    same(Row("0.0"))(s"$grouped INTERSECT SELECT s FROM ($grouped) WHERE s LIKE '0%'")
  }

  test("what a grouping yields may not be told apart above it") {
    val groups = "SELECT d, count(*) n FROM z WHERE d = 0.0D OR k = 5 GROUP BY d"
    for {
      rest <- Seq("cast(d AS STRING) = '0.0'", "cast(d AS STRING) <> '-0.0'")
      operation <- Seq("EXCEPT ALL", "INTERSECT", "INTERSECT ALL")
    } asSpark(s"SELECT d, n FROM ($groups) $operation SELECT d, n FROM ($groups) WHERE $rest")
    asSpark(
      s"SELECT * FROM ($groups) l LEFT SEMI JOIN " +
        s"(SELECT * FROM ($groups) WHERE cast(d AS STRING) = '-0.0') r " +
        "ON cast(l.d AS STRING) = cast(r.d AS STRING)")
  }

  test("counting is no way round: equal values may be told apart below a grouping") {
    // Spark pushes a filter below the grouping, and there replaces d by 0.0, also if d is -0.0.
    val zeros = "SELECT d FROM z WHERE cast(d AS STRING) = '-0.0'"
    for (operation <- Seq("INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL")) {
      val query = s"SELECT d FROM ($zeros $operation SELECT d FROM z WHERE k > 2) WHERE d = 0.0D"
      val (_, entries) = planned(sql(query))
      assert(!entries.exists(e => e.reason.isEmpty && e.rule == "ReplaceSetOpWithCounts"), query)
    }
  }

  test("an equality of columns that came from the other side infers nothing about the first") {
    // Spark infers from d = e that each predicate on one column also holds for the other.
    asSpark(
      "SELECT d, e FROM (SELECT d, e FROM zeros INTERSECT SELECT d, e FROM zeros WHERE d = e) " +
        "WHERE cast(d AS STRING) = '-0.0'")
  }

  test("what respects the equality of doubles is rewritten still") {
    assertOneScan(Semi)(
      sql("SELECT * FROM z l LEFT SEMI JOIN (SELECT * FROM z WHERE d > 1) r ON l.d = r.d"))
    assertOneScan(Except)(sql("SELECT d FROM z EXCEPT SELECT d FROM z WHERE d > 1 OR isnan(d)"))
    assertOneScan(Except)(sql("SELECT d FROM z EXCEPT SELECT d FROM z WHERE d * 2 + 1 > 3.5D"))
    assertOneScan(Except)(sql("SELECT d FROM z EXCEPT SELECT d FROM z WHERE cast(d AS BOOLEAN)"))
    assertOneScan(Intersect)(
      sql("SELECT d, k FROM z WHERE k > 1 INTERSECT SELECT d, k FROM z WHERE abs(d) = 1.5D"))
    // The text of a double is safe as a column if no condition uses the double.
    assertOneScan(Except)(
      sql(
        "SELECT cast(d AS STRING), k FROM z EXCEPT SELECT cast(d AS STRING), k FROM z WHERE k = 2"))
  }

  // --- Collations -------------------------------------------------------------------------------

  test("keys of a collation: what sees the bytes is no function of the key") {
    assume(collations)
    for (f <- Seq(
        "ascii(c) = 65",
        "hex(c) = '41'",
        "c COLLATE UTF8_BINARY = 'A'",
        "cast(c AS BINARY) = X'41'",
        "md5(c) = md5('A')",
        "cast(c AS STRING) = 'A'")) {
      same(Row(1), Row(2), Row(6))(
        s"SELECT b FROM cc l LEFT SEMI JOIN (SELECT c AS x FROM cc WHERE $f) r ON l.c = r.x")
      same(Row(1), Row(2), Row(6))(s"SELECT b FROM cc WHERE c IN (SELECT c FROM cc WHERE $f)")
    }
    for (f <- Seq("length(c) = 2", "hex(c) = '6120'", "octet_length(c) = 2")) {
      same(Row(1), Row(2))(
        s"SELECT b FROM padded l LEFT SEMI JOIN (SELECT c AS x FROM padded WHERE $f) r ON l.c = r.x")
      same(Row(1), Row(2))(s"SELECT b FROM padded WHERE c IN (SELECT c FROM padded WHERE $f)")
    }
  }

  test("a key that is collated in the condition alone") {
    assume(collations)
    for (f <- Seq("ascii(s COLLATE UTF8_LCASE) = 65", "hex(s COLLATE UTF8_LCASE) = '41'")) {
      same(Row("a"), Row("A"))(
        s"SELECT s FROM words l LEFT SEMI JOIN (SELECT s AS x FROM words WHERE $f) r " +
          "ON l.s COLLATE UTF8_LCASE = r.x COLLATE UTF8_LCASE")
      same(Row("a"), Row("A"))(
        "SELECT s FROM words WHERE s COLLATE UTF8_LCASE IN " +
          s"(SELECT s COLLATE UTF8_LCASE FROM words WHERE $f)")
      same(Row("b"))(
        s"SELECT s FROM words l LEFT ANTI JOIN (SELECT s AS x FROM words WHERE $f) r " +
          "ON l.s COLLATE UTF8_LCASE = r.x COLLATE UTF8_LCASE")
    }
  }

  test("what respects a collation is rewritten still") {
    assume(collations)
    assertOneScan(Semi)(
      sql("SELECT * FROM cc l LEFT SEMI JOIN (SELECT * FROM cc WHERE c > 'A') r ON l.c = r.c"))
    for ((rule, join) <- Seq(Semi -> "SEMI", Anti -> "ANTI")) {
      assertOneScan(rule)(
        sql(
          s"SELECT l.s FROM words l LEFT $join JOIN (SELECT s COLLATE UTF8_LCASE AS c FROM words " +
            "WHERE s COLLATE UTF8_LCASE = 'A') r ON l.s COLLATE UTF8_LCASE = r.c"))
    }
  }

  // --- Literals ---------------------------------------------------------------------------------

  test("0.0 and -0.0 are two literals") {
    def text(zero: String) = s"cast(i * $zero AS STRING)"
    same(Row(1, "0.0"))(
      s"SELECT i, ${text("0.0D")} FROM zeros WHERE i = 1 EXCEPT SELECT i, ${text("-0.0D")} FROM zeros")
    same()(s"SELECT i, ${text("0.0D")} FROM zeros INTERSECT SELECT i, ${text("-0.0D")} FROM zeros")
    same(Row(-1))(
      s"SELECT i FROM zeros WHERE ${text("-0.0D")} = '0.0' EXCEPT " +
        s"SELECT i FROM zeros WHERE ${text("0.0D")} = '0.0'")
    same(Row(-1), Row(1), Row(2))(
      s"SELECT i FROM zeros WHERE ${text("0.0D")} = '0.0' UNION " +
        s"SELECT i FROM zeros WHERE ${text("-0.0D")} = '0.0'")
    same(Row(1), Row(1), Row(2), Row(2))(
      s"SELECT i FROM zeros WHERE ${text("0.0D")} = '0.0' UNION ALL " +
        s"SELECT i FROM zeros WHERE NOT (${text("-0.0D")} = '0.0')")
    same(Row(1), Row(2))(
      "SELECT l.i FROM zeros l LEFT SEMI JOIN (SELECT i j FROM zeros) r " +
        "ON l.i = j AND cast(l.i * 0.0D AS STRING) = cast(abs(j) * 0.0D AS STRING)")
    same()(
      "SELECT l.i FROM zeros l LEFT SEMI JOIN (SELECT i j FROM zeros) r " +
        "ON l.i = j AND cast(l.i * 0.0D AS STRING) = cast(j * -0.0D AS STRING)")
  }
}
