// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.compat.SparkCompat
import io.sparksieve.report.core.{Reason, Report}
import io.sparksieve.setop.rewrite.SessionRewriteSetOperations

/** A rewrite evaluates no expression that may fail for rows on which Spark does not evaluate it. */
class EvaluatedRowsSuite extends SetOpTest {

  override protected def sparkConf =
    super.sparkConf.set(SQLConf.ANSI_ENABLED.key, "true").set("spark.master", "local[1]")

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE p (a INT, b INT, part STRING) USING parquet PARTITIONED BY (part)")
    sql("INSERT INTO p VALUES (1, 0, '0'), (2, 1, '1'), (3, 4, '1')")
    sql("CREATE TABLE q (a INT, b INT) USING parquet")
    sql("INSERT INTO q SELECT /*+ COALESCE(1) */ * FROM VALUES (5, 0), (1, 1), (2, 5), (7, 2)")
  }

  override def afterAll(): Unit =
    try {
      sql("DROP TABLE IF EXISTS p")
      sql("DROP TABLE IF EXISTS q")
    } finally super.afterAll()

  private def same(query: => DataFrame): Unit = checkAnswer(query, off(query))

  test("a condition on directories that may fail itself comes before one on rows") {
    val f = "10 / b > 2 AND cast(part AS INT) = 1"
    // EXCEPT is left out: Spark's own filter rewrite of it fails.
    for (op <- Seq("EXCEPT ALL", "INTERSECT ALL")) {
      same(sql(s"SELECT b, part FROM p $op SELECT b, part FROM p WHERE $f"))
    }
    same(sql(s"SELECT a FROM p WHERE $f UNION SELECT a FROM p WHERE a = 2"))
    same(sql(
      s"SELECT * FROM p l LEFT SEMI JOIN (SELECT * FROM p WHERE $f) r ON l.b = r.b AND l.part = r.part"))
    assert(verdicts("ReplaceUnionWithFilter") {
      sql(s"SELECT a FROM p WHERE $f UNION SELECT a FROM p WHERE part = '2'")
    } == Seq(Some(Reason.MayFail)))
  }

  test("UNION ALL that is read until there are enough rows") {
    def some = sql("""SELECT a FROM q WHERE a < 3 UNION ALL
      SELECT a FROM q WHERE a >= 3 AND 10 / b > 1""").limit(1)
    same(some)
    assert(verdicts("ReplaceUnionWithFilter")(some) == Seq(Some(Reason.MayFail)))
    def column =
      sql("SELECT 10 / b AS x FROM q WHERE a < 3 UNION ALL SELECT 10 / b FROM q WHERE a >= 3")
    same(column.limit(1))
    assert(verdicts("ReplaceUnionWithFilter")(column) == Seq(Some(Reason.MayFail)))
    def plain = sql("SELECT a FROM q WHERE a < 3 UNION ALL SELECT a FROM q WHERE a >= 3 AND b > 1")
    assertOneScan("ReplaceUnionWithFilter")(plain)
  }

  test("counting: the right side of an empty left is not evaluated") {
    def query = sql("SELECT a FROM q WHERE 1 = 0 EXCEPT SELECT a FROM q WHERE 10 / b > 1")
    same(query)
    assert(verdicts("ReplaceSetOpWithCounts")(query) == Seq(Some(Reason.MayFail)))
  }

  test("the left side of a semi-join whose right side is empty is not evaluated") {
    val right = "SELECT a, b FROM q WHERE a > 100 AND b > 100"
    def joins(l: String) = Seq(
      "ReplaceSemiJoinWithFilter" ->
        s"SELECT * FROM $l l LEFT SEMI JOIN ($right) r ON l.a = r.a AND l.b = r.b",
      "ReplaceSemiJoinWithFilter" -> s"SELECT * FROM $l l WHERE (a, b) IN ($right)",
      "ReplaceSemiJoinWithFilter" ->
        s"SELECT * FROM $l l WHERE EXISTS ($right AND q.a = l.a AND q.b = l.b)",
      "ReplaceIntersectWithFilter" -> s"SELECT * FROM $l INTERSECT $right"
    )
    val beside = Seq(
      s"SELECT a FROM q WHERE (a, b) IN ($right) AND 10 / b > 1",
      s"SELECT a FROM q l WHERE 10 / b > 1 AND EXISTS ($right AND q.a = l.a AND q.b = l.b)",
      s"SELECT a FROM q l WHERE EXISTS ($right AND 10 / q.b = 10 / l.b AND q.a = l.a AND q.b = l.b)",
      s"SELECT * FROM q l LEFT SEMI JOIN ($right) r ON 10 / l.b = 10 / r.b AND l.a = r.a AND l.b = r.b"
    ).map("ReplaceSemiJoinWithFilter" -> _)
    for (adaptive <- Seq("true", "false"))
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
        for ((rule, query) <- joins("(SELECT a, b FROM q WHERE 10 / b > 1)") ++ beside) {
          same(sql(query))
          assert(verdicts(rule)(sql(query)) == Seq(Some(Reason.MayFail)), query)
        }
        // What cannot fail is rewritten.
        for ((rule, query) <- joins("(SELECT a, b FROM q WHERE b > 1)"))
          assertOneScan(rule)(sql(query))
        // Also where Spark evaluates the side whatever the other holds.
        val nested = s"""SELECT a FROM q l WHERE (b = 0 OR 10 / b > 1)
          AND (a = 1 OR EXISTS ($right AND q.a = l.a AND q.b = l.b))"""
        same(sql(nested))
        assert(verdicts("ReplaceSemiJoinWithFilter")(sql(nested)) == Seq(Some(Reason.MayFail)))
      }
  }

  test("below a join each condition goes its own way") {
    withTempView("base") {
      sql(
        "CREATE TEMPORARY VIEW base AS SELECT x.a AS x, y.b AS y FROM q x JOIN q y ON x.a - 5 = y.b")
      // Only one row has x + y = 5. There the second condition, which Spark pushes to x, is FALSE.
      def query(op: String) = sql(
        s"SELECT * FROM base $op SELECT * FROM base WHERE 10 / (x + y - 5) > 0 AND 10 / (x - 4) > 10")
      for (op <- Seq("EXCEPT ALL", "INTERSECT ALL", "UNION")) same(query(op))
      def alone = sql(
        "SELECT a, b FROM q EXCEPT SELECT a, b FROM q WHERE b <> 0 AND 10 / b > 2 AND 10 / a > 1")
      same(alone)
      for (q <- Seq(query("EXCEPT ALL"), alone))
        assert(verdicts("ReplaceExceptWithNotFilter")(q) == Seq(Some(Reason.MayFail)))
    }
  }

  test("a Python UDF is called for no other rows") {
    val guarded = "SELECT a, b FROM q WHERE b <> 0 AND a > 4"
    for (query <- Seq(
        s"SELECT a, b FROM q EXCEPT $guarded",
        s"SELECT a, b FROM q EXCEPT ALL $guarded",
        s"SELECT a, b FROM q INTERSECT $guarded",
        s"$guarded INTERSECT ALL SELECT a, b FROM q",
        s"SELECT a, b FROM q WHERE a = 1 UNION $guarded",
        s"SELECT a, b FROM q WHERE a < 2 UNION ALL $guarded",
        s"SELECT a, b FROM q l LEFT SEMI JOIN ($guarded) r ON l.a = r.a AND l.b = r.b",
        s"SELECT a, b FROM q l LEFT ANTI JOIN ($guarded) r ON l.a = r.a AND l.b = r.b",
        s"SELECT a, b FROM q WHERE (a, b) IN ($guarded)",
        s"SELECT a, b FROM q l WHERE EXISTS (SELECT 1 FROM ($guarded) r WHERE l.a = r.a AND l.b = r.b)"
      )) {
      val entries = Report.collecting {
        val rule = SessionRewriteSetOperations(spark)
        rule(withPython(SparkCompat.plan(spark, sql(query).queryExecution.analyzed).analyzed))
      }._2
      assert(entries.nonEmpty, query)
      assert(
        entries.forall(e => e.reason.nonEmpty || e.rule == "LowerUnsafeExcept"),
        s"$query\n$entries")
      assert(entries.flatMap(_.reason).contains(Reason.UnsupportedExpression), s"$query\n$entries")
    }
  }

  /** `plan` with `a > 4` replaced by a call of a Python function. */
  private def withPython(plan: LogicalPlan): LogicalPlan = plan.transformUpWithSubqueries {
    case f: Filter =>
      f.copy(condition = f.condition.transform { case GreaterThan(a, Literal(4, _)) => python(a) })
  }

  private def python(column: Expression): Expression =
    PythonUDF("fake", null, BooleanType, Seq(column), evalType = 100, udfDeterministic = true)
}
