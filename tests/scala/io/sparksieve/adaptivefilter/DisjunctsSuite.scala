// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{IntegerType, StringType}

import io.sparksieve.adaptivefilter.learn.FilterStates
import io.sparksieve.adaptivefilter.predicate.{Conjuncts, Disjuncts, RowConjuncts}
import io.sparksieve.conf.{PolicySettings, SieveConf}
import io.sparksieve.report.core.Reason

/** The learned order of the parts of an OR. */
class DisjunctsSuite extends AdaptiveFilterTest {

  private val conditions = Seq(
    "s RLIKE '^[0-9]*7$' OR cpu > 90",
    "length(sha2(s, 256)) = 63 OR hour = 3 OR d = 5",
    "(s LIKE '%7' OR memory > 95) AND cpu > 30",
    "cpu > 30 AND (memory IS NULL OR s LIKE '%7' OR memory > 90) AND hour > 7",
    "(s LIKE '1%' OR memory > 50) AND (upper(s) < '5' OR memory < 60) AND d > -5",
    "NOT (s LIKE '%7' AND memory > 50)",
    "memory IS NOT NULL AND (s LIKE '%7' OR memory > 95)",
    "(CASE WHEN memory > 50 THEN NULL ELSE s LIKE '%7' END) OR cpu > 80"
  ) ++ nested

  /** ANDs below ORs, ORs below these, and so on. */
  private lazy val nested = Seq(
    "(s LIKE '%7' AND memory > 50 AND upper(s) < '8') OR cpu > 90",
    "hour > 3 AND ((s LIKE '1%' OR memory > 60) AND (upper(s) < '5' OR hour < 9) OR s LIKE '%9')",
    "((s LIKE '1%' AND memory > 20 OR s LIKE '2%' AND memory < 70) AND (cpu > 50 OR s LIKE '%3') " +
      "OR (s RLIKE '[0-4]$' OR d > 3) AND NOT (s LIKE '%1' AND cpu > 10)) AND d > -8"
  )

  for {
    where <- conditions
    policy <- PolicySettings.names
    (mode, settings) <- Seq(
      "batches" -> Seq.empty,
      "rows" -> Seq(SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false"),
      "interpreted" -> Seq(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false")
    )
  } test(s"$where: $policy, $mode") {
    val all = settings ++ Seq(
      SieveConf.ADAPTIVE_FILTER_POLICY.key -> policy,
      SieveConf.ADAPTIVE_FILTER_COLLECT_RATE.key -> "20",
      SieveConf.ADAPTIVE_FILTER_CALCULATE_RATE.key -> "1000")
    withConf(all: _*) {
      FilterStates.clear()
      val ran = assertAdaptive(sql(s"SELECT * FROM logs WHERE $where"))
      assert(parts(ran).nonEmpty, ran.plan)
      assertAdaptive(sql(s"SELECT count(*), sum(id) FROM logs WHERE $where"))
    }
  }

  /** The report's lines about the parts of ANDs and ORs. */
  private def parts(ran: Ran): Seq[String] =
    ran.filters.flatMap(_.measurements).map(_.detail).filter(_.contains(" evaluates part "))

  for (vectorized <- Seq("true", "false"))
    test(s"a costly part that is never true goes last: batches $vectorized") {
      withConf(SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized) {
        FilterStates.clear()
        val ran = assertAdaptive(
          sql("SELECT id FROM logs WHERE length(sha2(s, 512)) = 3 OR cpu > 10 OR hour > 7"))
        assert(ran.metric("numReorders") > 0, ran.plan)
        assert(ran.metric("evaluationsSaved") > 0, ran.plan)
        assert(parts(ran).forall(_.contains("; part 1: 0.0 % true")), parts(ran))
      }
    }

  test("a costly part that is never true goes last in every AND and OR: the report says so") {
    val where = "(hour > 20 AND d > 0 OR (length(sha2(s, 512)) = 3 OR cpu > 30) AND " +
      "upper(s) RLIKE '.' AND memory > 60)"
    for (vectorized <- Seq("true", "false"))
      withConf(SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized) {
        FilterStates.clear()
        val ran = assertAdaptive(sql(s"SELECT id FROM logs WHERE $where"))
        val reported = parts(ran)
        assert(reported.size == 3, reported)
        def last(sql: String, end: String) =
          assert(reported.exists(t => t.contains(sql) && t.contains(end)), reported)
        last("cpu > 30)) evaluates part 2: ", "; part 1: 0.0 % true")
        last("memory > 60)) evaluates part", "; part 2: 100.0 % true")
      }
  }

  test("the parts of an AND below an OR have an order of their own, and the ORs below it") {
    val parts = Disjuncts.of(Or(And(Or(GreaterThan(a, Literal(3)), costly), other), third))
    assert(parts.map(_.exclusions.size) == Seq(2, 0), parts)
    assert(parts.head.exclusions.map(_.exclusions.size) == Seq(2, 0), parts)
    val fixed = And(Or(costly, other), GreaterThan(Divide(a, a), Literal(1.0)))
    assert(Disjuncts.of(Or(fixed, third)).head.exclusions.map(_.exclusions.size) == Seq(2, 0))
    val cheap = And(GreaterThan(a, Literal(3)), LessThan(a, Literal(7)))
    assert(Disjuncts.of(Or(cheap, costly)).map(_.exclusions.size) == Seq(0, 0))
  }

  for (rowsFirst <- Seq(true, false))
    test(s"rows and batches, which evaluate other parts, share no order: rows first $rowsFirst") {
      FilterStates.clear()
      val where = "(cpu > 30 AND hour > 7 AND s LIKE '%7') OR upper(s) LIKE '%9'"
      val queries = Seq(
        sql(s"SELECT * FROM (SELECT * FROM logs LIMIT 15000) WHERE $where"),
        sql(s"SELECT * FROM logs WHERE $where"))
      for (query <- if (rowsFirst) queries else queries.reverse) {
        val reported = parts(assertAdaptive(query))
        val n = if (query == queries.head) 2 else 3
        assert(
          reported.exists(t => t.startsWith("(") && t.split("part ").length == n + 1),
          reported)
      }
    }

  test("what evaluates costly parts in one order only is left to Spark over rows") {
    val cheap = And(GreaterThan(a, Literal(3)), LessThan(a, Literal(9)))
    val or = Or(And(cheap, GreaterThan(Divide(a, a), Literal(1.0))), costly)
    val conjuncts = Conjuncts.of(or, Seq(a, s))
    assert(conjuncts.head.exclusions.map(_.exclusions.size) == Seq(3, 0))
    assert(RowConjuncts(conjuncts).head.exclusions.map(_.exclusions.size) == Seq(0, 0))
  }

  private val guarded = Seq(
    "(s RLIKE '^[0-9]+$' AND cast(s AS INT) > 300 AND s LIKE '%7') OR cpu > 90",
    "cpu > 95 OR (d <> 0 AND (10 / d > 1 OR s LIKE '%5') AND s LIKE '%7')",
    "s = 'word' OR cast(s AS INT) > 300 OR upper(s) LIKE '%7'",
    "d = 0 OR 10 / d > 1 OR s LIKE '%7'",
    "cpu > 30 AND (NOT s RLIKE '^[0-9]+$' OR cast(s AS INT) % 7 = 1 OR s LIKE '%5')",
    "s <> 'word' AND (cast(s AS INT) > 300 OR s LIKE '%3')"
  )

  for {
    where <- guarded
    vectorized <- Seq("true", "false")
  } test(s"what may fail keeps behind its guard: $where, batches $vectorized") {
    withConf(
      SQLConf.ANSI_ENABLED.key -> "true",
      SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized) {
      assertGuarded(where)
      assertAdaptive(sql(s"SELECT count(*) FROM (SELECT id FROM logs WHERE $where LIMIT 5)"))
    }
  }

  test("without its guard the part fails, with Sieve as without") {
    assertCastFails("s LIKE '%7' OR cast(s AS INT) > 300")
  }

  private val a = AttributeReference("a", IntegerType)()
  private val s = AttributeReference("s", StringType)()
  private val costly = RLike(s, Literal("7$"))
  private val other = RLike(s, Literal("8$"))
  private val third = RLike(s, Literal("9$"))

  test("left alone: cheap parts, random ones, a fixed order, parts that Spark evaluates once") {
    val sha = Length(Sha2(Cast(s, org.apache.spark.sql.types.BinaryType), Literal(256)))
    assert(Disjuncts.of(Or(costly, GreaterThan(a, Literal(1)))).size == 2)
    for (or <- Seq(
        Or(GreaterThan(a, Literal(1)), LessThan(a, Literal(0))),
        Or(costly, LessThan(Rand(Literal(1L)), Literal(0.5))),
        Or(LessThan(Rand(Literal(1L)), Literal(0.5)), costly),
        Or(costly, GreaterThan(Divide(a, a), Literal(1.0))),
        Or(EqualTo(sha, Literal(3)), EqualTo(sha, Literal(4))),
        Or(RLike(Upper(s), Literal("7$")), RLike(Upper(s), Literal("8$"))),
        costly
      ))
      assert(Disjuncts.of(or).isEmpty, or)
  }

  test("an OR of numbers over rows is left to Spark") {
    withConf(SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false") {
      assertLeft(Reason.LittleToGain)(
        sql("SELECT id FROM logs WHERE (cpu > 90 OR hour > 20) AND d > 0"))
    }
  }
}
