// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.nio.file.Paths

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** Tests that the harness fails the cases that it must fail. No test asserts a duration. */
class BenchSuite extends AnyFunSuite with BeforeAndAfterAll {

  private lazy val bench = new Bench(Options("none", rows = 100, runs = 1))

  private val table = Table(
    "bench_suite",
    DataSet("bench-suite", 100, "SELECT id AS a, cast(id % 3 AS INT) AS b FROM ids", files = 2))

  private val query = QueryCase(
    "query",
    "a query that is rewritten",
    Seq(table),
    "SELECT a AS x, b AS y FROM bench_suite EXCEPT SELECT a AS x, b AS y FROM bench_suite WHERE b = 1",
    "ReplaceExceptWithNotFilter"
  )

  override def afterAll(): Unit =
    try bench.close()
    finally super.afterAll()

  private def failures(c: Case): Seq[String] = c.measure(bench, control = false).failures

  test("a query is measured off, on and off again, and its plans are described") {
    val result = query.measure(bench, control = true)
    assert(result.failures.isEmpty)
    assert(result.rows == Some(67L))
    assert(result.variants.map(_.name) == Seq("off", "on", "off again"))
    assert(result.variants.forall(_.timing.samples.length == 1))
    val shapes = result.variants.flatMap(_.shape)
    assert(shapes.map(_.scans) == Seq(2, 1))
    assert(shapes.map(_.scannedRows) == Seq(200, 100))
    assert(shapes.map(_.joins.length) == Seq(1, 0))
    assert(
      shapes.map(_.joinRows.map(j => (j.larger, j.smaller, j.out))) ==
        Seq(Seq((100L, 33L, 67L)), Nil))
    assert(shapes.forall(_.shuffledBytes > 0))
    assert(shapes.map(_.scannedFiles) == Seq(4, 2))
    assert(shapes.forall(_.activity.jobs > 0))
    assert(shapes.head.activity.readBytes > shapes.last.activity.readBytes)
    assert(shapes.last.activity.readBytes > 0)
    assert(result.applied == Some(true) && result.verdicts.nonEmpty)
    for (report <- Seq(
        TextReport(Settings(bench), Seq(result)),
        MarkdownReport(Settings(bench), Seq(result)),
        JsonReport(Settings(bench), Seq(result)),
        PlansReport(Seq(result))
      )) {
      assert(report.contains("query"))
      assert(!report.contains(Paths.get("").toAbsolutePath.toString))
    }
  }

  test("a query whose plan does not change is vacuous") {
    val elsewhere = query.copy(sql = "SELECT a FROM bench_suite WHERE b = 1")
    assert(failures(elsewhere).exists(_.startsWith("vacuous")))
  }

  test("a rule that was not applied is missed, whatever else changed the plan") {
    assert(failures(query.copy(rule = "ReplaceUnionWithFilter")).exists(_.startsWith("vacuous")))
  }

  test("a rule that should have kept out fails the case, one that may be applied does not") {
    assert(failures(query.copy(expectApplied = Some(false))).nonEmpty)
    assert(failures(query.copy(expectApplied = None)).isEmpty)
    val elsewhere = query.copy(sql = "SELECT a FROM bench_suite WHERE b = 1")
    assert(failures(elsewhere.copy(expectApplied = None)).isEmpty)
    assert(failures(elsewhere.copy(expectApplied = Some(false))).isEmpty)
  }

  test("rows are compared by what of the query is to be compared") {
    val few = query.copy(
      sql = "SELECT a AS x FROM bench_suite LIMIT 3",
      others = Seq(Variant.off("SELECT a AS x FROM bench_suite LIMIT 4", "other")),
      expectApplied = None)
    assert(failures(few).exists(_.startsWith("other rows")))
    assert(failures(few.copy(compared = _.replaceFirst(" LIMIT \\d", ""))).isEmpty)
  }

  test("two columns of one name, and doubles that differ in their last bits") {
    val sums = query.copy(
      sql = "SELECT 0.1D + 0.2D + 0.3D AS x, b AS x FROM bench_suite",
      others = Seq(Variant.off("SELECT 0.3D + 0.2D + 0.1D AS x, b AS x FROM bench_suite", "other")),
      expectApplied = None
    )
    assert(failures(sums).isEmpty)
  }

  test("many queries under one name are summed up") {
    val results = (1 to 20).map { i =>
      def timed(name: String, samples: Double*) =
        CaseResult.OfVariant(name, Timing(samples.toVector), None, "")
      val on = if (i == 1) timed(Variant.On, 4, 4.1) else timed(Variant.On, 1, 1)
      CaseResult(
        CaseResult.Query,
        s"many/q$i",
        "",
        None,
        Map.empty,
        "",
        Seq(timed(Variant.Off, 2, 2), on, timed(Variant.OffAgain, 2, 2.1)),
        Some(i.toLong),
        Nil,
        applied = Some(i < 6)
      )
    }
    val lines = Summary(results).mkString("\n")
    assert(lines.contains("20 queries, the rule applied to 5, 0 without rows"))
    assert(lines.contains("at least 1.67x: 19 (off again: 0); under 0.98x: 1 (off again: 20)"))
    assert(lines.contains("than off in any: many/q1 0.49x"))
    assert(Noise(results).isEmpty)
    assert(Summary(results.tail).isEmpty && Noise(results.tail).length == 19)
  }

  test("a variant that gives other rows fails the case") {
    def differing(sql: String) =
      failures(query.copy(others = Seq(Variant.off(sql, "other"))))
        .exists(_.startsWith("other rows"))
    assert(differing("SELECT a AS x, b AS y FROM bench_suite"))
    assert(differing("SELECT b AS x, a AS y FROM bench_suite WHERE b <> 1"))
    assert(differing("SELECT a AS x, nullif(b, 0) AS y FROM bench_suite WHERE b <> 1"))
    assert(!differing("SELECT a AS x, b AS y FROM bench_suite WHERE b <> 1"))
  }

  test("planning is compared with a session that does not have the extension") {
    val planning =
      PlanningCase("planning", "", Seq(table), query.sql, changes = true, plannings = 2)
    val result = planning.measure(bench, control = false)
    assert(result.failures.isEmpty)
    assert(result.growth("on", "without").nonEmpty)
    assert(failures(planning.copy(changes = false)).nonEmpty)
    assert(failures(planning.copy(sql = "SELECT a FROM bench_suite")).nonEmpty)
  }

  test("settings of a case are set back") {
    val key = "spark.sql.autoBroadcastJoinThreshold"
    val before = bench.extended.conf.get(key)
    bench.withConf(bench.extended, Map(key -> "-1")) {
      assert(bench.extended.conf.get(key) == "-1")
    }
    assert(bench.extended.conf.get(key) == before)
  }

  test("rounds take turns") {
    val order = Vector.newBuilder[String]
    val timings = Rounds(Seq("a", "b"), 3) { name =>
      order += name
      1.0
    }
    assert(order.result().mkString == "abbaab")
    assert(timings("a").samples.length == 3)
    assert(Timing(Vector(3, 1, 2)).median == 2)
    assert(Timing(Vector(4, 1, 2, 3)).median == 2.5)
  }

  test("words of the command line") {
    val parsed = Options.parse(List("setop", "--rows", "10_000", "--runs", "3", "--cases", "a,b/*"))
    assert(parsed.map(o => (o.rows, o.runs, o.patterns)) == Right((10000L, 3, Seq("a", "b/*"))))
    assert(parsed.exists(o => o.selects("a/x") && o.selects("b/x") && !o.selects("c")))
    assert(parsed.map(_.unknown(Seq("b/x"))) == Right(Seq("a")))
    for (wrong <- Seq(
        Nil,
        List("setop", "--rows"),
        List("setop", "--rows", "0"),
        List("setop", "x")))
      assert(Options.parse(wrong).isLeft)
  }

  test("every feature's cases are found and have names of their own") {
    val features = CaseGroups.features
    assert(features.contains("setop"))
    for ((feature, groups) <- features) {
      val names = groups.flatMap(_.cases(1000)).map(_.name)
      assert(names.nonEmpty && names.distinct == names, feature)
    }
  }
}
