// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.report.core.Reason
import io.sparksieve.setop.rewrite.SessionRewriteSetOperations

class ReplaceUnionWithFilterSuite extends SetOpTest {

  private val rule = "ReplaceUnionWithFilter"

  private def oneScan(query: String): Unit = assertOneScan(rule)(sql(query))

  private def declined(reason: Reason)(query: String): Unit =
    assertDeclined(rule, reason)(sql(query))

  test("UNION merges whatever the filters are") {
    oneScan("SELECT a, c FROM t WHERE b < 3 UNION SELECT a, c FROM t WHERE c = 1")
    oneScan("SELECT a FROM t WHERE a = 1 UNION SELECT a FROM t WHERE a = 1")
    oneScan("SELECT a, c FROM t WHERE c > 1 UNION SELECT a, c FROM t WHERE s LIKE 's%'")
    oneScan("SELECT a, c FROM t WHERE b = 1 UNION SELECT a, c FROM t")
    oneScan("SELECT DISTINCT a FROM t WHERE b = 1 UNION SELECT a FROM t WHERE b = 2")
  }

  test("UNION ALL merges what cannot overlap") {
    oneScan("SELECT a, c FROM t WHERE b < 3 UNION ALL SELECT a, c FROM t WHERE b >= 3")
    oneScan("SELECT a FROM t WHERE c IS NULL UNION ALL SELECT a FROM t WHERE c = 1")
    oneScan("SELECT a FROM t WHERE c IN (0, 1) UNION ALL SELECT a FROM t WHERE c = 2")
    oneScan(
      "SELECT a FROM t WHERE s = 's1' AND b = 1 UNION ALL SELECT a FROM t WHERE s = 's2' OR s = 's3'")
    oneScan("SELECT d FROM z WHERE d < 1 UNION ALL SELECT d FROM z WHERE d > 1")
  }

  test("a row that passes both filters must appear twice") {
    declined(Reason.MayOverlap)("SELECT a FROM t WHERE b < 3 UNION ALL SELECT a FROM t WHERE b < 2")
    declined(Reason.MayOverlap)(
      "SELECT a FROM t WHERE b <= 3 UNION ALL SELECT a FROM t WHERE b >= 3")
    declined(Reason.MayOverlap)("SELECT a FROM t WHERE b = 1 UNION ALL SELECT a FROM t WHERE c = 2")
    declined(Reason.MayOverlap)("SELECT a FROM t UNION ALL SELECT a FROM t")
    declined(Reason.MayOverlap)(
      "SELECT d FROM z WHERE d = 0.0 UNION ALL SELECT d FROM z WHERE d = -0.0")
    declined(Reason.MayOverlap)(
      "SELECT d FROM z WHERE d > 1.0 UNION ALL SELECT d FROM z WHERE isnan(d)")
  }

  test("UNION ALL keeps duplicates within each side, and does not merge a DISTINCT side") {
    val query = "SELECT a FROM t WHERE b = 1 UNION ALL SELECT a FROM t WHERE b = 2"
    oneScan(query)
    assert(sql(query).count() == sql("SELECT a FROM t WHERE b IN (1, 2)").count())
    declined(Reason.DistinctBranch)(
      "SELECT DISTINCT a FROM t WHERE b = 1 UNION ALL SELECT a FROM t WHERE b = 2")
  }

  test("many sides become one, or as few as can be") {
    oneScan((0 to 4).map(i => s"SELECT a, s FROM t WHERE b = $i").mkString(" UNION ALL "))
    oneScan((0 to 4).map(i => s"SELECT a, s FROM t WHERE b >= $i").mkString(" UNION "))
    for (op <- Seq("UNION", "UNION ALL")) {
      def mixed = sql(s"""SELECT a FROM t WHERE b = 1 $op SELECT k FROM z
        $op SELECT a FROM t WHERE b = 2 $op SELECT k + 1 FROM z WHERE k = 3 $op SELECT a FROM t WHERE b = 3""")
      assert(verdicts(rule)(mixed).contains(None))
      assert(scans(mixed) < 5)
      checkAnswer(mixed, off(mixed))
    }
  }

  test("a filter is no larger than its code may be") {
    def side(i: Int, conjuncts: Int) =
      s"SELECT a, s FROM t WHERE a = $i AND ${(0 until conjuncts).map(j => s"b <> ${100 + j}").mkString(" AND ")}"
    declined(Reason.TooManyPredicates)(s"${side(1, 400)} UNION ALL ${side(2, 400)}")
    declined(Reason.TooManyPredicates)(s"${side(1, 400)} UNION ${side(2, 400)}")
    oneScan(s"${side(1, 200)} UNION ALL ${side(2, 200)}")
    // A list is one operation.
    val list = (100 until 2100).mkString(", ")
    oneScan(
      s"SELECT a FROM t WHERE b NOT IN ($list) AND a = 1 UNION ALL SELECT a FROM t WHERE a = 2")
    def many = sql((0 until 150).map(i => s"SELECT a FROM t WHERE b = $i").mkString(" UNION ALL "))
    assert(scans(many) == 3)
    checkAnswer(many, off(many))
  }

  test("partly overlapping: only the disjoint ones are merged") {
    def query = sql("""SELECT a FROM t WHERE b = 1 UNION ALL SELECT a FROM t WHERE b < 4
      UNION ALL SELECT a FROM t WHERE b = 2""")
    assert(scans(query) == 2)
    checkAnswer(query, off(query))
  }

  test("NULL filters: a side that is never TRUE adds nothing") {
    oneScan("SELECT a, c FROM t WHERE c > 1 UNION SELECT a, c FROM t WHERE c <= 1")
    oneScan("SELECT a, c FROM t WHERE c > 1 UNION ALL SELECT a, c FROM t WHERE NOT (c > 1)")
    oneScan(
      "SELECT a, c FROM t WHERE c > 1 AND s = 's1' UNION SELECT a, c FROM t WHERE s IS NULL AND c < 1")
  }

  test("different columns or sources, chance and subqueries are left alone") {
    declined(Reason.DifferentProjection)(
      "SELECT a FROM t WHERE b = 1 UNION SELECT b FROM t WHERE b = 2")
    declined(Reason.DifferentProjection)(
      "SELECT a, 'l' FROM t WHERE b = 1 UNION ALL SELECT a, 'r' FROM t WHERE b = 2")
    declined(Reason.DifferentSource)("SELECT a FROM t UNION SELECT k FROM z")
    declined(Reason.SubqueryInBranch)(
      "SELECT a FROM t WHERE b = (SELECT max(k) FROM z) UNION SELECT a FROM t WHERE b = 2")
    def random = sql("SELECT a FROM t WHERE rand(1) >= 0 UNION SELECT a FROM t WHERE b = 2")
    assert(verdicts(rule)(random) == Seq(Some(Reason.NonDeterministic)))
  }

  test("strings of a collation, and no columns at all") {
    def none = spark.table("t").where("b > 50").select()
    for (union <- Seq(none.union(none), none.union(none).distinct())) {
      assert(verdicts(rule)(union) == Seq(Some(Reason.NotRowDetermined)))
      assert(union.count() == off(union).length)
    }
    assume(collations)
    declined(Reason.MergedValues)(
      "SELECT c FROM cc WHERE b >= 3 UNION SELECT c FROM cc WHERE b < 3")
    oneScan("SELECT c FROM cc WHERE b >= 3 UNION ALL SELECT c FROM cc WHERE b < 3")
  }

  test("types that Spark widens are cast below the rewrite") {
    oneScan("SELECT a FROM t WHERE b = 1 UNION SELECT a FROM t WHERE b = 2")
    declined(Reason.DifferentProjection)(
      "SELECT a FROM t WHERE b = 1 UNION SELECT cast(a AS BIGINT) + 1 FROM t WHERE b = 2")
  }

  test("names and ids of the union stay") {
    for (op <- Seq("UNION", "UNION ALL")) {
      val query =
        sql(s"SELECT a AS x, c AS y FROM t WHERE b = 1 $op SELECT a, c FROM t WHERE b = 2")
      val plan = query.queryExecution.analyzed
      val after = SessionRewriteSetOperations(spark)(plan).output
      assert(plan.output.map(a => (a.name, a.exprId)) == after.map(a => (a.name, a.exprId)))
    }
    oneScan(
      "SELECT x + 1 FROM (SELECT a AS x FROM t WHERE b = 1 UNION ALL SELECT a FROM t WHERE b = 2) WHERE x > 2")
  }

  test("partitions on one side and row groups on the other: two scans skip more than one") {
    withTable("p") {
      sql(
        "CREATE TABLE p USING parquet PARTITIONED BY (part) AS SELECT a, b, c, a % 3 AS part FROM t")
      declined(Reason.PruningLost)(
        "SELECT a FROM p WHERE part = 1 UNION SELECT a FROM p WHERE b = 2")
      declined(Reason.PruningLost)(
        "SELECT a FROM p WHERE part = 1 AND b = 3 UNION ALL SELECT a FROM p WHERE b = 2")
      oneScan("SELECT a FROM p WHERE part = 1 UNION SELECT a FROM p WHERE part = 2")
      oneScan("SELECT a FROM p WHERE b = 1 UNION SELECT a FROM p WHERE c = 2")
      oneScan(
        "SELECT a FROM p WHERE part = 1 AND b = 1 UNION ALL SELECT a FROM p WHERE part = 2 AND b = 2")
      // The files of another partition may have c with another type.
      declined(Reason.ColumnSensitiveSource)(
        "SELECT a FROM p WHERE part = 1 AND b = 1 UNION ALL SELECT a FROM p WHERE part = 2 AND c = 1")
      oneScan("SELECT a FROM p WHERE part = 1 UNION SELECT a FROM p")
    }
  }

  test("both partition filters prune the merged scan") {
    withTable("p") {
      sql(
        "CREATE TABLE p USING parquet PARTITIONED BY (part) AS SELECT a, b, c, a % 3 AS part FROM t")
      val query =
        sql("SELECT a FROM p WHERE part = 1 AND a + 1 > 0 UNION SELECT a FROM p WHERE part = 2")
      val plan = query.queryExecution.executedPlan.toString
      val pruned = plan.linesIterator.find(_.contains("PartitionFilters")).getOrElse("")
      assert(pruned.contains("part") && pruned.contains("1") && pruned.contains("2"), plan)
      checkAnswer(query, off(query))
    }
  }

  test("a cached side is not read past") {
    withTempView("v") {
      sql("CREATE TEMP VIEW v AS SELECT a, c FROM t WHERE b = 1")
      spark.catalog.cacheTable("v")
      try declined(Reason.CachedBranch)("SELECT a, c FROM v UNION SELECT a, c FROM t WHERE b = 2")
      finally spark.catalog.uncacheTable("v")
      oneScan("SELECT a, c FROM v UNION SELECT a, c FROM t WHERE b = 2")
    }
  }

  test("WITH: one definition is read once; what two definitions have in common belongs to each") {
    oneScan(
      "WITH r AS (SELECT a, b FROM t) SELECT a FROM r WHERE b = 1 UNION SELECT a FROM r WHERE b = 2")
    val join = "SELECT l.a, r.k FROM t l JOIN z r ON l.a = r.k"
    def once =
      sql(s"WITH r AS ($join) SELECT a FROM r WHERE k = 1 UNION SELECT a FROM r WHERE k = 2")
    assert(verdicts(rule)(once) == Seq(None) && scans(once) == 2)
    checkAnswer(once, off(once))
    declined(Reason.CteBoundary)(
      s"WITH x AS ($join), y AS ($join) SELECT a FROM x WHERE k = 1 UNION SELECT a FROM y WHERE k = 2")
  }

  test("the DataFrame API, by name too") {
    val t = spark.table("t")
    assertOneScan(rule)(t.where("b = 1").union(t.where("b = 2")))
    assertOneScan(rule)(t.where("b = 1").union(t.where("b < 2")).distinct())
    assertOneScan(rule)(
      t.where("b = 1").select("a", "c").unionByName(t.where("b = 2").select("c", "a")))
    assertOneScan(rule)(t.where("b = 1").union(t.where("b < 2")).dropDuplicates())
    def subset = t.where("b = 1").union(t.where("b < 2")).dropDuplicates("a")
    assert(verdicts(rule)(subset) == Seq(Some(Reason.MayOverlap)))
  }

  test("-0.0 and DISTINCT inside a side: the operator above sees the normalised value") {
    def query = sql("""SELECT cast(d AS STRING) AS s FROM (SELECT DISTINCT d FROM z WHERE k = 2)
      UNION SELECT cast(d AS STRING) FROM z WHERE d > 5""")
    checkAnswer(query, off(query))
    oneScan(
      "SELECT d FROM (SELECT DISTINCT d FROM z WHERE k = 2) UNION SELECT d FROM z WHERE d > 5")
  }

  test("idempotent, and the very plan where nothing is done") {
    assertIdempotent(sql("SELECT a FROM t WHERE b = 1 UNION SELECT a FROM t WHERE c = 1"))
    assertIdempotent(sql(
      "SELECT a FROM t WHERE b = 1 UNION ALL SELECT a FROM t WHERE b = 2 UNION ALL SELECT k FROM z"))
    assertSameInstance(sql("SELECT a FROM t UNION SELECT k FROM z"))
    assertSameInstance(sql("SELECT a FROM t WHERE b = 1 UNION ALL SELECT a FROM t WHERE b = 1"))
  }

  test("the merged scan shows data sources what they can skip") {
    val (plan, _) = planned {
      sql("SELECT a FROM t WHERE b = 1 AND a > c UNION SELECT a FROM t WHERE b = 2 AND a < c")
    }
    val filters = plan.collect { case f: Filter => f.condition.sql }.mkString
    assert(filters.replaceAll("[a-z_.`]*\\bb`?", "b").contains("b = 1"), plan)
    val pushed = sql(
      "SELECT a FROM t WHERE b = 1 AND a > c UNION SELECT a FROM t WHERE b = 2 AND a < c").queryExecution.executedPlan.toString
    assert(pushed.contains("Or(EqualTo(b,1),EqualTo(b,2))"), pushed)
  }
}
