// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import org.apache.spark.sql.{DataFrame, QueryTest}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}

import io.sparksieve.adaptivefilter.{GeneratedBlocks, LittleGain}
import io.sparksieve.adaptivefilter.exec.{AdaptiveColumnarFilterExec, AdaptiveFilter}
import io.sparksieve.bulkfilter.expr.InKeySet
import io.sparksieve.bulkfilter.fused.FusedMembership
import io.sparksieve.bulkfilter.load.{KeySetCache, OneSet, SideBySide}
import io.sparksieve.keyset.masks.{DenseKeyMasks, HashedKeyMasks, KeyMasks}
import io.sparksieve.scan.DynamicScanExec

/** Trees of leaves on few keys are fused into one predicate, which looks up each key once. */
class FuseMembershipTreesSuite extends BulkFilterTest {

  private val Apart = 0x3779b97fL

  // File m<n> holds multiples of n; file far<n> holds the same values times `Apart`.
  override def beforeAll(): Unit = {
    super.beforeAll()
    for (n <- 2 to 6) {
      folder(s"m$n", "parquet", sql(s"SELECT id * $n AS v FROM range(600)"))
      folder(s"far$n", "parquet", sql(s"SELECT id * $n * ${Apart}L AS v FROM range(600)"))
    }
    folder("s", "parquet", sql("SELECT concat('colour ', id) AS v FROM range(3)"))
    sql(s"SELECT id, code, id * ${Apart}L AS x, code * ${Apart}L AS y FROM cars").write
      .saveAsTable("farcars")
  }

  override def afterAll(): Unit =
    try {
      sql("DROP TABLE IF EXISTS farcars")
      ()
    } finally super.afterAll()

  private def in(key: String, n: Int) = s"in_file($key, '$dir/m$n')"

  /** `text` with each in_file replaced by arithmetic that selects the same keys. */
  private def oracle(text: String): String =
    "in_file\\(([^']*), '[^']*/m(\\d+)'\\)".r.replaceAllIn(
      text,
      m => s"(${m.group(1)} % ${m.group(2)} = 0 AND ${m.group(1)} < ${600 * m.group(2).toInt})")

  private lazy val pairs = (2 to 5).map(n => s"(${in("id", n)} AND NOT ${in("code", n + 1)})")
  private lazy val tree = pairs.mkString("(", " OR ", ")")

  private def trees(plan: SparkPlan): Seq[FusedMembership] =
    collectWithSubqueries(plan) { case p => p.expressions }.flatten
      .flatMap(_.collect { case t: FusedMembership => t })

  private def leaves(plan: SparkPlan): Int =
    collectWithSubqueries(plan) { case p => p.expressions }.flatten
      .flatMap(_.collect { case l: InKeySet => l })
      .size

  private def masks(plan: SparkPlan): Seq[KeyMasks] =
    trees(plan).flatMap(_.sets.map(_.membership)).collect { case OneSet(shared) =>
      shared.value.asInstanceOf[KeyMasks]
    }

  /** Asserts the rows, and the numbers of fused trees and of separate leaves in the plan. */
  private def assertTogether(query: String, numTrees: Int = 1, numLeaves: Int = 0): SparkPlan = {
    val plan = planOfSame(query, oracle(query))
    assert((trees(plan).distinct.size, leaves(plan)) == ((numTrees, numLeaves)))
    plan
  }

  test(
    "a tree of many leaves and few keys is one predicate, which is evaluated in blocks of rows") {
    for (where <- Seq(
        tree,
        s"NOT $tree",
        s"coalesce($tree, true)",
        s"NOT coalesce($tree, false)")) {
      val plan = assertTogether(s"SELECT * FROM cars WHERE $where")
      assert(trees(plan).head.keys.map(_.references.head.name) == Seq("id", "code"))
      assert(
        masks(plan).map(_.width) == Seq(4, 4) && masks(plan).forall(_.isInstanceOf[DenseKeyMasks]))
      val scan = collect(plan) { case s: FileSourceScanExec => s }.head
      val filters = collect(plan) { case f: AdaptiveColumnarFilterExec => f }
      assert(filters.map(GeneratedBlocks.of(_, scan.output)) == Seq(1), plan)
      assert(filters.head.metrics("numInputBatches").value == 4)
    }
  }

  test("a leaf whose key reads a file, beside leaves enough") {
    val key = s"if(in_file(colour, '$dir/s'), id, 0L)"
    val where = s"$tree OR ${tree.replace("id,", s"$key,")}"
    val plain = s"${oracle(tree)} OR " +
      oracle(tree.replace("id,", "i,"))
        .replaceAll("\\bi\\b", "if(colour IN ('colour 0', 'colour 1', 'colour 2'), id, 0L)")
    assertSame(s"SELECT id FROM cars WHERE $where", s"SELECT id FROM cars WHERE $plain")
  }

  test("the answer itself, with its NULLs") {
    for (part <- pairs) assertSame(s"SELECT $part FROM cars", oracle(s"SELECT $part FROM cars"))
    assertTogether(s"SELECT id, $tree AS t FROM cars")
    assertTogether(s"SELECT id, NOT $tree AS t, if(code > 3, $tree, NULL) AS u FROM cars", 2)
    val ands = pairs.map(p => s"NOT $p").mkString(" AND ")
    assertTogether(s"SELECT id, ($ands) AS t FROM cars")
    assertTogether(s"SELECT id, (($ands) OR code IS NULL) IS NULL AS t FROM cars")
    val merged = (2 to 5).map { n =>
      s"((${in("id", n)} AND NOT ${in("id", n + 1)}) OR (${in("code", 2)} AND ${in("code", n + 1)}))"
    }
    assertTogether(s"SELECT id, (${merged.mkString(" AND ")}) AS t FROM cars")
    assertTogether(s"SELECT id, NOT (${merged.mkString(" AND ")}) AS t FROM cars")
  }

  test("other predicates beside it, leaves that prune the scan, and joins") {
    val plan =
      assertTogether(
        s"SELECT * FROM cars WHERE $tree AND ${in("id", 2)} AND colour LIKE '%1'",
        1,
        1)
    assert(collect(plan) { case s: DynamicScanExec => s }.nonEmpty, plan)
    val filter = collect(plan) { case f: AdaptiveFilter => f }.head
    assert(
      filter.metrics("numOutputRows").value == ran(sql(
        oracle(s"SELECT * FROM cars WHERE $tree AND ${in("id", 2)} AND colour LIKE '%1'")))._1.size)
    assertTogether(s"SELECT * FROM cars WHERE colour LIKE '%1' OR $tree")
    assertTogether(s"SELECT * FROM cars WHERE $tree OR colour LIKE '%1' OR brand IS NULL")
    val join = "SELECT a.id, b.id FROM cars a JOIN cars b ON a.id = b.id + 1 AND " +
      tree.replace("id,", "a.id,").replace("code", "b.code")
    assertSame(join, oracle(join))
    assert(trees(ran(sql(join))._2).nonEmpty)
  }

  test("adaptive execution, and the order of points") {
    val counts = s"SELECT code, count(*) FROM cars WHERE $tree GROUP BY code"
    assertTogether(counts)
    val expected = sql(oracle(counts)).collect().toSeq
    for (setting <- Seq("spark.sql.adaptive.enabled", "spark.sql.adaptive.forceApply"))
      for (value <- Seq("true", "false"); costs <- Seq("measured", "points"))
        withConf(setting -> value, "spark.sieve.bulkFilter.costModel" -> costs) {
          val (rows, plan) = ran(sql(counts))
          QueryTest.sameRows(expected, rows).foreach(fail(_))
          assert((trees(plan).distinct.size, leaves(plan)) == ((1, 0)), plan)
          assert(collect(plan) { case f: AdaptiveColumnarFilterExec => f }.size == 1, plan)
          withCodegen(false) {
            QueryTest.sameRows(expected, ran(sql(counts))._1).foreach(fail(_))
          }
        }
    withConf("spark.sieve.adaptiveFilter.enabled" -> "false") {
      val plan = assertTogether(s"SELECT * FROM cars WHERE $tree")
      assert(collect(plan) { case f: AdaptiveFilter => f }.isEmpty)
    }
  }

  test(
    "it is evaluated in blocks where earlier runs have shown that little is gained by an order") {
    def filters(query: String) =
      collect(ran(sql(query))._2) { case f: AdaptiveColumnarFilterExec => f }
    try
      for (where <- Seq(tree, s"$tree AND brand LIKE 'b%' AND id > 3")) {
        val query = s"SELECT * FROM cars WHERE $where"
        filters(query).foreach(LittleGain.remember)
        assert(filters(query).size == 1, query)
      }
    finally LittleGain.forget()
    val other = "SELECT * FROM cars WHERE brand LIKE 'b%' AND id > 3"
    try {
      filters(other).foreach(LittleGain.remember)
      assert(filters(other).isEmpty, "the runs are remembered")
    } finally LittleGain.forget()
  }

  // Replaces id and code by x and y, and their files by those of the far-apart values.
  private def far(text: String) = "in_file\\((id|code), '([^']*)/m".r.replaceAllIn(
    text,
    m => s"in_file(${if (m.group(1) == "id") "x" else "y"}, '${m.group(2)}/far")

  test("values far apart are hashed") {
    val made = masks(ran(sql(s"SELECT * FROM farcars WHERE ${far(tree)}"))._2)
    assert(made.size == 2 && made.forall(_.isInstanceOf[HashedKeyMasks]), made)
    assertSame(s"SELECT *, ${far(tree)} FROM farcars", s"SELECT *, ${oracle(tree)} FROM farcars")
  }

  test("what takes more than the cap together is evaluated separately") {
    KeySetCache(spark).clear()
    withConf("spark.sieve.bulkFilter.maxLeafBytes" -> "35000") {
      val plan = ran(sql(s"SELECT * FROM farcars WHERE ${far(tree)}"))._2
      val memberships = trees(plan).flatMap(_.sets.map(_.membership))
      assert(memberships.size == 2 && memberships.forall(_.isInstanceOf[SideBySide[_]]))
      assertSame(s"SELECT *, ${far(tree)} FROM farcars", s"SELECT *, ${oracle(tree)} FROM farcars")
    }
    KeySetCache(spark).clear()
  }

  test("ranges, of which masks would take far more than they do, are evaluated separately") {
    for (n <- 2 to 6)
      folder(s"range$n", "parquet", sql(s"SELECT id + $n AS v FROM range(${n * 50000})"))
    val where = tree.replace("/m", "/range")
    val plan = ran(sql(s"SELECT * FROM cars WHERE $where"))._2
    assert(
      trees(plan).flatMap(_.sets.map(_.membership)).map(_.getClass) ==
        Seq.fill(2)(classOf[SideBySide[_]]))
    val plain = (2 to 5).map(n => s"(id >= $n AND code < ${n + 1})").mkString(" OR ")
    assertSame(s"SELECT id FROM cars WHERE $where", s"SELECT id FROM cars WHERE $plain")
    val said = loads(plan).flatMap(_.measurements).map(_.detail)
    assert(said.count(_.startsWith("looked up one by one")) == 2, said)
  }

  test("more sets than a mask has bits for have two masks") {
    val keys = (0 until 70).map(_ * 7 + 3)
    val files = keys.map(k => file(s"one$k.csv", s"$k"))
    val many = files.map(f => s"(in_file(id, '$f') AND in_file(coalesce(code, 1), '$f'))")
    val query = s"SELECT id FROM cars WHERE id < 0 OR (${many.mkString(" OR ")})"
    val (rows, plan) = ran(sql(query))
    assert(masks(plan).map(_.width) == Seq(64, 8, 64, 8))
    // The predicate id < 0 prunes nothing, but is not evaluated in blocks.
    assert(collect(plan) { case f: AdaptiveColumnarFilterExec => f }.size == 1, plan)
    val same = "id = coalesce(code, 1) AND id % 7 = 3 AND id < 493"
    QueryTest
      .sameRows(sql(s"SELECT id FROM cars WHERE $same").collect().toSeq, rows)
      .foreach(fail(_))
    assert(rows.nonEmpty)
  }

  test("the report says what was evaluated together, and how many rows hold a value of each file") {
    val said = loads(ran(sql(s"SELECT * FROM cars WHERE $tree"))._2).flatMap(_.measurements)
    val files = said.filter(_.detail.contains("of rows looked at hold one"))
    assert(files.size == 8 && said.count(_.detail.contains("looked up together")) == 2, said)
    def share(n: Int) = files.filter(_.place.contains(s"/m$n[")).map { e =>
      e.detail.replaceAll("^.*; ([0-9.]+) % of rows looked.*$", "$1").toDouble
    }
    // Each task has sampled its first 64 rows. A seventh of the codes are NULL.
    assert(share(2).forall(s => s > 10 && s < 60) && share(5).size == 2, files)
  }

  test("masks are kept while the files do not change") {
    KeySetCache(spark).clear()
    val first = masks(ran(sql(s"SELECT * FROM cars WHERE $tree"))._2)
    val second = masks(ran(sql(s"SELECT * FROM cars WHERE $tree AND id > 0"))._2)
    assert(first.size == 2 && first.zip(second).forall { case (a, b) => a eq b })
    folder("m2", "parquet", sql("SELECT id * 2 + 1 AS v FROM range(600)"))
    try {
      val query = s"SELECT * FROM cars WHERE $tree"
      def changed(text: String) = oracle(text.replace(in("id", 2), "(id % 2 = 1 AND id < 1200)"))
      assertSame(query, changed(query))
    } finally folder("m2", "parquet", sql("SELECT id * 2 AS v FROM range(600)"))
  }

  test("keys of every type that is held as a long") {
    val types = Seq(
      "TINYINT" -> "id % 100",
      "SMALLINT" -> "id",
      "INT" -> "id",
      "DATE" -> "date_add(DATE'2020-01-01', cast(id AS INT))",
      "TIMESTAMP" -> "timestamp_seconds(id * 1000)",
      "DECIMAL(9,2)" -> "id / 4",
      "BOOLEAN" -> "id % 2 = 0",
      "DOUBLE" -> "CASE id % 5 WHEN 0 THEN double('NaN') WHEN 1 THEN -0.0D ELSE id / 8 END",
      "FLOAT" -> "CASE id % 5 WHEN 0 THEN float('NaN') WHEN 1 THEN -0.0F ELSE id / 8 END"
    )
    for ((ddl, value) <- types) {
      def values(n: Int): DataFrame =
        sql(s"SELECT CAST($value AS $ddl) AS v FROM (SELECT id * $n AS id FROM range(40))")
      for (n <- 1 to 4) folder(s"t$n", "parquet", values(n))
      sql(
        s"SELECT id, if(id % 7 = 0, NULL, CAST($value AS $ddl)) AS k, CAST($value AS $ddl) AS l FROM range(300)").write
        .mode("overwrite")
        .saveAsTable("typed")
      def inFile(key: String, n: Int) = s"in_file($key, '$dir/t$n')"
      def plain(key: String, n: Int) = {
        values(n).createOrReplaceTempView(s"t$n")
        s"($key IN (SELECT v FROM t$n))"
      }
      def where(leaf: (String, Int) => String) =
        (1 to 4).map(n => s"(${leaf("k", n)} AND NOT ${leaf("l", 5 - n)})").mkString(" OR ")
      val rows = ran(sql(s"SELECT id FROM typed WHERE ${where(inFile)}"))
      QueryTest
        .sameRows(sql(s"SELECT id FROM typed WHERE ${where(plain)}").collect().toSeq, rows._1)
        .foreach(d => fail(s"$ddl\n$d"))
      assert(trees(rows._2).size == 1, ddl)
      sql("DROP TABLE typed")
    }
  }

  test(
    "few leaves, as many keys as leaves, texts, and keys that may fail are evaluated as before") {
    def none(where: String) = assert(trees(ran(sql(s"SELECT * FROM cars WHERE $where"))._2).isEmpty)
    none(pairs.take(3).mkString(" OR "))
    none(
      (2 to 6)
        .map(n => s"(${in(s"coalesce(id, $n)", n)} AND ${in(s"coalesce(id, 1$n)", n)})")
        .mkString(" OR "))
    none(
      (2 to 6)
        .map(n =>
          s"(in_file(colour, '$dir/s') AND ${in("id", n)} AND ${in("code", n)} AND id > $n)")
        .mkString(" OR "))
    none(tree.replace("id,", s"if(in_file(colour, '$dir/s'), id, 0L),"))
    none(tree.replace("id,", "length(repeat(colour, 3)),"))
    withConf("spark.sql.ansi.enabled" -> "true") {
      none(tree.replace("code", "code + 1"))
    }
    withConf("spark.sieve.bulkFilter.enabled" -> "false")(none(tree))
  }
}
