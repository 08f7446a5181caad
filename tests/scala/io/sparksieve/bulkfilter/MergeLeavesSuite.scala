// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.expressions.{And, Coalesce, Expression, Or}
import org.apache.spark.sql.catalyst.plans.logical.Filter

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.bulkfilter.optimize.Points

/** How trees of leaves are merged, folded and ordered by points. */
class MergeLeavesSuite extends BulkFilterTest {

  private val names = Seq("f", "g", "h")

  override def beforeAll(): Unit = {
    super.beforeAll()
    folder("f", "parquet", sql("SELECT id * 2 AS v FROM range(600)"))
    folder("g", "parquet", sql("SELECT id * 3 AS v FROM range(600)"))
    folder("h", "parquet", sql("SELECT id * 5 AS v FROM range(600)"))
    folder("s", "parquet", sql("SELECT concat('colour ', id) AS v FROM range(3)"))
    folder("t", "parquet", sql("SELECT concat('colour ', id * 2) AS v FROM range(3)"))
  }

  private def in(key: String, file: String) = s"in_file($key, '$dir/$file')"

  /** The same predicate in SQL without in_file. */
  private def oracle(e: String): String =
    names.zip(Seq(2, 3, 5)).foldLeft(e) { case (text, (f, n)) =>
      Seq("id", "code").foldLeft(text) { (t, key) =>
        t.replace(in(key, f), s"($key % $n = 0 AND $key < ${600 * n})")
      }
    }

  private def condition(query: String): Expression =
    sql(query).queryExecution.optimizedPlan.collectFirst { case Filter(c, _) => c }.get

  private def leaves(where: String): Seq[InFile] =
    InFile.in(condition(s"SELECT * FROM cars WHERE $where"))

  private def assertMerged(where: String, shown: String): Unit = {
    val found = leaves(where)
    assert(found.map(_.members.show(_.source.place.name.split('/').last)) == Seq(shown), where)
    assertSame(s"SELECT id, $where FROM cars", s"SELECT id, ${oracle(where)} FROM cars")
    assertSame(s"SELECT * FROM cars WHERE $where", s"SELECT * FROM cars WHERE ${oracle(where)}")
  }

  test("leaves on one key are one leaf") {
    for (k <- Seq("id", "code")) {
      val (f, g, h) = (in(k, "f"), in(k, "g"), in(k, "h"))
      assertMerged(s"($f AND $g)", "(f ∩ g)")
      assertMerged(s"($f OR $g OR $h)", "(f ∪ g ∪ h)")
      assertMerged(s"($f AND NOT $g)", "(f − g)")
      assertMerged(s"($f OR NOT $g)", "(g − f)")
      assertMerged(s"(NOT $f AND NOT $g)", "(f ∪ g)")
      assertMerged(s"(NOT $f OR NOT $g)", "(f ∩ g)")
      assertMerged(s"(($f OR $g) AND NOT $h)", "((f ∪ g) − h)")
      assertMerged(s"(NOT ($f AND $g) AND $h)", "(h − (f ∩ g))")
      assertMerged(s"($f AND $f AND $g)", "(f ∩ g)")
    }
  }

  test("leaves that say what becomes of NULL keys are merged as those that do not") {
    val (f, g) = (in("code", "f"), in("code", "g"))
    def kept(leaf: String) = s"NOT coalesce($leaf, false)"
    assertMerged(s"(${kept(f)} AND ${kept(g)})", "(f ∪ g)")
    assertMerged(s"(${kept(f)} OR ${kept(g)})", "(f ∩ g)")
    assertMerged(s"($f AND ${kept(g)})", "(f − g)")
    assertMerged(s"($f OR ${kept(g)})", "(g − f)")
    assertMerged(s"(NOT $f AND ${kept(g)})", "(f ∪ g)")
    assertMerged(s"(NOT $f OR ${kept(g)})", "(f ∩ g)")
    assertMerged(s"(coalesce($f, true) AND coalesce($g, true))", "(f ∩ g)")
    assertMerged(s"(coalesce($f, true) AND coalesce($g, false))", "(f ∩ g)")
    assertMerged(s"(coalesce($f, true) OR coalesce(NOT $g, false))", "(g − f)")
    assertMerged(s"(coalesce(coalesce($f, true), false) AND $g)", "(f ∩ g)")
    // If the merged leaf is NULL for NULL keys, it has no coalesce around it, and prunes the scan.
    val bare = condition(s"SELECT * FROM cars WHERE $f AND ${kept(g)}")
    assert(!bare.exists(_.isInstanceOf[Coalesce]), bare)
  }

  test("a leaf that keeps NULL keys has the points of a leaf, and a place by them") {
    val (f, s) = (in("code", "f"), in("colour", "s"))
    val written = s"(NOT coalesce($f, false) OR ${in("id", "g")}) AND NOT coalesce($s, false)"
    assert(
      InFile.in(condition(s"SELECT * FROM cars WHERE $written")).head.members ==
        leaves(s).head.members)
  }

  test("what is always or never so folds, but for NULL keys") {
    val (f, g) = (in("code", "f"), in("code", "g"))
    assertSame(
      s"SELECT $f AND $g AND NOT $f FROM cars",
      "SELECT if(code IS NULL, NULL, false) FROM cars")
    assertSame(
      s"SELECT $f OR $g OR NOT $f FROM cars",
      "SELECT if(code IS NULL, NULL, true) FROM cars")
    assertSame(s"SELECT * FROM cars WHERE $f AND $g AND NOT $g", "SELECT * FROM cars WHERE false")
    val plan = sql(
      s"SELECT * FROM cars WHERE ${in("id", "f")} AND NOT (${in("id", "f")} OR ${in("id", "g")})")
    assert(loads(plan.queryExecution.executedPlan).isEmpty && plan.count() == 0)
  }

  test("keys that Spark holds equal but that differ stay apart") {
    folder("ones", "parquet", sql("SELECT 1D AS v"))
    folder("zeros", "parquet", sql("SELECT 0D AS v"))
    folder("more", "parquet", sql("SELECT 1D AS v UNION ALL SELECT 5D"))
    folder("signs", "parquet", sql("SELECT '-0.0' AS v UNION ALL SELECT 'x'"))
    sql("SELECT * FROM VALUES (1e16D, -1e16D, 1D), (1D, 0D, 0D) AS t(x, y, z)")
      .createOrReplaceTempView("sums")
    val (left, right) = ("(x + y) + z", "x + (y + z)")
    sql("SELECT CAST(NULL AS DOUBLE) AS d").createOrReplaceTempView("nothing")
    val (minus, plus) =
      ("CAST(coalesce(d, -0.0D) AS STRING)", "CAST(coalesce(d, 0.0D) AS STRING)")
    assertSame(
      s"SELECT ${in(minus, "signs")} AND NOT ${in(plus, "signs")} FROM nothing",
      "SELECT true")
    for (cap <- Seq("256m", "1b")) withConf("spark.sieve.bulkFilter.maxLeafBytes" -> cap) {
      // Not compared with Spark's result: Spark treats both sums as equal, also when it eliminates
      // common subexpressions.
      assertSame(
        s"SELECT x FROM sums WHERE ${in(left, "ones")} AND ${in(right, "zeros")}",
        "SELECT 1e16D")
      assertSame(
        s"SELECT x FROM sums WHERE ${in(left, "ones")} AND NOT ${in(right, "more")}",
        "SELECT 1e16D")
    }
  }

  test("other keys stay apart, and files are read once") {
    val where = s"${in("id", "f")} AND ${in("code", "f")} AND NOT ${in("id", "f")} IS NULL"
    val (_, plan) = ran(sql(s"SELECT * FROM cars WHERE $where"))
    assert(loads(plan).flatMap(_.child.members.leaves).flatMap(_.entry).distinct.size <= 2)
    assertSame(s"SELECT * FROM cars WHERE $where", s"SELECT * FROM cars WHERE ${oracle(where)}")
  }

  test("sets of strings and of rows are merged as those of numbers") {
    val (s, t) = (in("colour", "s"), in("colour", "t"))
    assertSame(s"SELECT $s AND $t FROM cars", "SELECT colour IN ('colour 0', 'colour 2') FROM cars")
    assertSame(
      s"SELECT $s OR $t FROM cars",
      "SELECT colour IN ('colour 0', 'colour 1', 'colour 2', 'colour 4') FROM cars")
    assertSame(s"SELECT $s AND NOT $t FROM cars", "SELECT colour = 'colour 1' FROM cars")
    folder("p", "parquet", sql("SELECT id, id + 1 AS n FROM range(10)"))
    folder("q", "parquet", sql("SELECT id, id + 1 AS n FROM range(5, 20)"))
    val (p, q) = (in("(id, id + 1)", "p"), in("(id, id + 1)", "q"))
    assertSame(s"SELECT * FROM cars WHERE $p AND $q", "SELECT * FROM cars WHERE id BETWEEN 5 AND 9")
    assertSame(s"SELECT * FROM cars WHERE $p AND NOT $q", "SELECT * FROM cars WHERE id < 5")
    assertSame(s"SELECT * FROM cars WHERE $p OR $q", "SELECT * FROM cars WHERE id < 20")
  }

  test("rows with a NULL are known for one file and not for another, so they are not merged") {
    folder("p2", "parquet", sql("SELECT 1L AS x, 1 AS y UNION ALL SELECT 2L, 2"))
    folder("q2", "parquet", sql("SELECT 1L AS x, 9 AS y UNION ALL SELECT 3L, 3"))
    sql("SELECT * FROM VALUES (1L, NULL), (2L, NULL), (1L, 1), (NULL, 3) AS t(x, y)")
      .createOrReplaceTempView("some")
    val (p, q) = (in("(x, y)", "p2"), in("(x, y)", "q2"))
    val (isP, isQ) =
      ("(x = 1 AND y = 1 OR x = 2 AND y = 2)", "(x = 1 AND y = 9 OR x = 3 AND y = 3)")
    assertSame(
      s"SELECT *, $p AND $q, $p OR $q FROM some",
      s"SELECT *, $isP AND $isQ, $isP OR $isQ FROM some")
  }

  test("a key that may fail stays behind what guards it") {
    withConf("spark.sql.ansi.enabled" -> "true", "spark.sieve.adaptiveFilter.enabled" -> "false") {
      val guard = s"(${in("brand", "t")} OR ${in("colour", "s")})"
      val costly = in("cast(split(colour, ' ')[1] / (3 - id % 9) AS BIGINT)", "f")
      checkAnswer(
        sql(s"SELECT id FROM cars WHERE $guard AND $costly"),
        sql(
          "SELECT id FROM cars WHERE colour IN ('colour 0', 'colour 1', 'colour 2') AND int(split(colour, ' ')[1] / (3 - id % 9)) % 2 = 0 AND split(colour, ' ')[1] / (3 - id % 9) >= 0")
      )
    }
  }

  test("the order of points at every level; predicates that may fail keep their place") {
    val (a, b) = (in("id", "f"), in("code", "g"))
    val c = in("colour", "s")
    val made = condition(s"SELECT * FROM cars WHERE ($a OR $b) AND $c")
    assert(InFile.in(made).head.keys.head.sql.contains("colour"), made)
    val nested = condition(s"SELECT * FROM cars WHERE $a OR ($b AND $c)")
    nested match {
      case Or(_: And, _: InFile) =>
      case other => fail(s"$other")
    }
    withConf("spark.sieve.bulkFilter.enabled" -> "false") {
      val written = condition(s"SELECT * FROM cars WHERE ($a OR $b) AND $c")
      assert(!InFile.in(written).head.keys.head.sql.contains("colour"), written)
    }
    assertSame(
      s"SELECT * FROM cars WHERE ($a OR $b) AND $c",
      s"SELECT * FROM cars WHERE (${oracle(a)} OR ${oracle(b)}) AND colour IN ('colour 0', 'colour 1', 'colour 2')"
    )
  }

  test("points as the document counts them") {
    val leaf = condition(s"SELECT * FROM cars WHERE ${in("id", "f")}")
    def and(parts: Expression*) = parts.reduce(And(_, _))
    def or(parts: Expression*) = parts.reduce(Or(_, _))
    def near(x: Double, y: Double) = assert(math.abs(x - y) < 1e-12, s"$x is not $y")
    near(Points(leaf), 0.1)
    near(Points(or(leaf, leaf)), 2)
    near(Points(and(leaf, leaf)), 0.01)
    near(Points(and(leaf, or(leaf, leaf), and(leaf, leaf))), 0.1 * 2 * 0.01)
  }
}
