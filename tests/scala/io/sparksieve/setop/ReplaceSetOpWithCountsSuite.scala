// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

class ReplaceSetOpWithCountsSuite extends SetOpTest {

  private val rule = "ReplaceSetOpWithCounts"

  private def oneScan(query: String): Unit = assertOneScan(rule)(sql(query))

  private def declined(reason: Reason)(query: String): Unit =
    assertDeclined(rule, reason)(sql(query))

  private val all = Seq("EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL")

  test("each operation counts both sides in one scan") {
    for (op <- all) {
      oneScan(s"SELECT a, c FROM t WHERE b < 3 $op SELECT a, c FROM t WHERE b = 1")
      oneScan(s"SELECT a FROM t WHERE b < 3 $op SELECT a FROM t WHERE b > 1 AND c = 1")
      oneScan(s"SELECT a FROM t WHERE c = 0 $op SELECT a FROM t WHERE c > 0")
    }
    oneScan("SELECT a FROM t EXCEPT ALL SELECT a FROM t WHERE b > 1")
    oneScan("SELECT a FROM t EXCEPT SELECT a FROM t WHERE b = 1 AND a < 3")
  }

  test("multiplicities: l - r copies for EXCEPT ALL, min(l, r) for INTERSECT ALL") {
    withTable("m") {
      // v: 3 left, 1 right; w: 1 left, 3 right; x: left only; y: right only; z: 2 and 2.
      sql("""CREATE TABLE m USING parquet AS SELECT * FROM VALUES
        ('v', 'l'), ('v', 'l'), ('v', 'l'), ('v', 'r'), ('w', 'l'), ('w', 'r'), ('w', 'r'), ('w', 'r'),
        ('x', 'l'), ('y', 'r'), ('z', 'l'), ('z', 'l'), ('z', 'r'), ('z', 'r'), (NULL, 'l'), (NULL, 'l'),
        (NULL, 'r'), ('n', NULL) AS m(v, side)""")
      def rows(op: String) = {
        val query = s"SELECT v FROM m WHERE side = 'l' $op SELECT v FROM m WHERE side = 'r'"
        oneScan(query)
        sql(query).collect().map(r => String.valueOf(r.get(0))).sorted.mkString(" ")
      }
      assert(rows("EXCEPT ALL") == "null v v x")
      assert(rows("INTERSECT ALL") == "null v w z z")
      assert(rows("EXCEPT") == "x")
      assert(rows("INTERSECT") == "null v w z")
    }
  }

  test("NULL groups meet; a NULL filter counts for neither side") {
    for (op <- all) {
      oneScan(s"SELECT c, s FROM t WHERE a < 3 $op SELECT c, s FROM t WHERE b > 1")
      oneScan(s"SELECT a FROM t WHERE c > 0 $op SELECT a FROM t WHERE s > 's1'")
      oneScan(s"SELECT a FROM t WHERE c > 5 $op SELECT a FROM t WHERE s > 's1'")
    }
  }

  test("floats: -0.0 and 0.0 are one group, NaNs are one group") {
    for (op <- all) {
      oneScan(s"SELECT d FROM z WHERE k < 5 $op SELECT d FROM z WHERE k > 2")
      oneScan(
        s"SELECT cast(d AS STRING) FROM (SELECT d FROM z WHERE k IN (2, 3) $op SELECT d FROM z WHERE k IN (3, 6))")
    }
    // A filter that tells zeros apart is declined: Spark could move it beside a filter on one zero.
    for (op <- all.tail) {
      assert(verdicts(rule) {
        sql(s"SELECT d FROM z WHERE k = 1 $op SELECT d FROM z WHERE cast(d AS STRING) = '-0.0'")
      } == Seq(Some(Reason.TellsEqualValuesApart)))
    }
    // Spark alone keeps 0.0, although it equals -0.0.
    checkAnswer(
      sql("SELECT d FROM z WHERE k = 1 EXCEPT SELECT d FROM z WHERE cast(d AS STRING) = '-0.0'"),
      Nil)
  }

  test("computed columns, columns under new names") {
    for (op <- all) {
      oneScan(s"SELECT a % 3 AS m, a FROM t WHERE b < 3 $op SELECT a % 3, a FROM t WHERE b = 1")
      oneScan(
        s"SELECT x + 1 FROM (SELECT a AS x FROM t WHERE b < 3 $op SELECT a FROM t WHERE b = 1)")
      oneScan(s"SELECT 1 AS one, a FROM t WHERE b < 3 $op SELECT 1, a FROM t WHERE b = 1")
    }
  }

  test("one column twice") {
    // The ALL forms of these queries fail Spark's own plan validation.
    for (op <- Seq("EXCEPT", "INTERSECT")) {
      oneScan(s"SELECT a, a FROM t WHERE b < 3 $op SELECT a, a FROM t WHERE b = 1")
    }
  }

  test("a literal as the only column") {
    for (op <- all) oneScan(s"SELECT 1 AS one FROM t WHERE b < 3 $op SELECT 1 FROM t WHERE b = 1")
    for (op <- all) oneScan(s"SELECT 1 AS one FROM t WHERE b > 30 $op SELECT 1 FROM t WHERE b = 1")
  }

  test("an empty source has no row, not a row of zeros") {
    for (op <- all) {
      oneScan(s"SELECT a FROM t WHERE b > 100 $op SELECT a FROM t WHERE c > 100")
    }
  }

  test("DISTINCT sides: fine for sets, left alone for ALL") {
    oneScan("SELECT DISTINCT a FROM t WHERE b = 2 EXCEPT SELECT a FROM t WHERE b = 1")
    oneScan("SELECT a FROM t WHERE b = 2 INTERSECT SELECT DISTINCT a FROM t WHERE b = 1")
    declined(Reason.DistinctBranch)(
      "SELECT DISTINCT a FROM t WHERE b = 2 EXCEPT ALL SELECT a FROM t WHERE b = 1")
    declined(Reason.DistinctBranch)(
      "SELECT a FROM t WHERE b = 2 INTERSECT ALL SELECT DISTINCT a FROM t WHERE b = 1")
  }

  test("the gate: the configs decide, and the size of the source") {
    val query = "SELECT a FROM t WHERE b < 3 EXCEPT SELECT a FROM t WHERE b = 1"
    withSQLConf(SieveConf.SETOP_COUNTING_ENABLED.key -> "false") {
      declined(Reason.CountingOff)(query)
    }
    withSQLConf(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key -> "16MB") {
      declined(Reason.BelowGate)(query)
    }
    withSQLConf(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key -> "100b")(oneScan(query))
    oneScan(query)
  }

  test("the gate's default spares small tables") {
    assert(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.defaultValueString == "16MB")
  }

  test("strings of a collation, other columns, other sources") {
    declined(Reason.DifferentProjection)(
      "SELECT a FROM t WHERE b < 3 EXCEPT SELECT c FROM t WHERE b = 1")
    declined(Reason.DifferentSource)(
      "SELECT a FROM t WHERE b < 3 EXCEPT SELECT k FROM z WHERE k = 1")
    assume(collations)
    def collated = sql("SELECT c FROM cc WHERE b < 3 EXCEPT SELECT c FROM cc WHERE b = 2")
    assert(verdicts(rule)(collated) == Seq(Some(Reason.MergedValues)))
    checkAnswer(collated, Nil)
  }

  test("lost pruning, cached sides, a join in two WITH definitions") {
    withTable("p") {
      sql("CREATE TABLE p USING parquet PARTITIONED BY (part) AS SELECT a, b, a % 3 AS part FROM t")
      declined(Reason.PruningLost)(
        "SELECT a FROM p WHERE part = 1 EXCEPT ALL SELECT a FROM p WHERE b = 2")
    }
    withTempView("v") {
      sql("CREATE TEMP VIEW v AS SELECT a FROM t WHERE b = 1")
      spark.catalog.cacheTable("v")
      try declined(Reason.CachedBranch)("SELECT a FROM v EXCEPT SELECT a FROM t WHERE b = 2")
      finally spark.catalog.uncacheTable("v")
    }
    val join = "SELECT l.a, r.k FROM t l JOIN z r ON l.a = r.k"
    declined(Reason.CteBoundary)(
      s"WITH x AS ($join), y AS ($join) SELECT a FROM x WHERE k < 3 EXCEPT SELECT a FROM y WHERE k = 2")
  }

  test("only one scan, one aggregation, no shuffle more") {
    val (plan, _) = planned(sql("SELECT a FROM t WHERE b < 3 EXCEPT SELECT a FROM t WHERE b = 1"))
    assert(plan.collect { case a: Aggregate => a }.length == 1, plan)
  }

  test("idempotent") {
    for (op <- all) {
      assertIdempotent(sql(s"SELECT a FROM t WHERE b < 3 $op SELECT a FROM t WHERE b = 1"))
    }
  }
}
