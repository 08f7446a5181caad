// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions.{GreaterThan, PythonUDF}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.adaptivefilter.AdaptiveFilterSuite
import io.sparksieve.bulkfilter.BulkFilterTest
import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.DynamicFilterReasonsSuite
import io.sparksieve.report.core.{Reason, Report}
import io.sparksieve.setop.SetOpTest
import io.sparksieve.setop.proof.SetOpContext
import io.sparksieve.setop.rewrite.{RewriteSetOperations, SessionRewriteSetOperations}

/** The closed list of reasons: every reason has a query that provokes it. */
class ReasonsSuite extends SetOpTest {

  /** Each reason, with the verdicts on a query that is declined for this reason. */
  private val provoked: Seq[(Reason, () => Seq[Report.Entry])] = Seq(
    Reason.DifferentSource -> (() => verdicts("SELECT a FROM t EXCEPT SELECT k FROM z")),
    Reason.DifferentSnapshot -> (() => snapshots()),
    Reason.DifferentProjection -> (() =>
      verdicts("SELECT a FROM t EXCEPT SELECT b FROM t WHERE b = 1")),
    Reason.NotRowDetermined -> (() =>
      verdicts("SELECT a FROM t EXCEPT SELECT a FROM t WHERE b = 1")),
    Reason.TellsEqualValuesApart ->
      (() => verdicts("SELECT d FROM z EXCEPT SELECT d FROM z WHERE cast(d AS STRING) = '-0.0'")),
    Reason.TakenForSame ->
      (() => verdicts("SELECT a + b + c FROM t EXCEPT SELECT a + (b + c) FROM t")),
    Reason.MergedValues -> (() =>
      verdicts(
        "SELECT array(d) FROM z WHERE k = 1 EXCEPT ALL SELECT array(d) FROM z WHERE array(d) = array(1.5D)")),
    Reason.NonDeterministic -> (() =>
      verdicts("SELECT a FROM t EXCEPT SELECT a FROM t WHERE rand() > 0.5")),
    Reason.SubqueryInBranch ->
      (() => verdicts("SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = (SELECT max(k) FROM z)")),
    Reason.CorrelatedBranch -> (() =>
      verdicts("SELECT * FROM t l WHERE a IN (SELECT a FROM t r WHERE r.b = l.b AND r.a > 1)")),
    Reason.Streaming -> (() => streaming()),
    Reason.UnsupportedSource -> (() =>
      verdicts(
        "SELECT a FROM (SELECT a FROM t LIMIT 5) EXCEPT SELECT a FROM (SELECT a FROM t LIMIT 5) WHERE a = 1")),
    Reason.ColumnSensitiveSource -> (() => malformed()),
    Reason.OverwrittenSource -> (() => overwritten()),
    Reason.PushdownSensitiveSource -> (() => json()),
    Reason.DistinctBranch -> (() =>
      verdicts("SELECT a FROM t EXCEPT ALL SELECT DISTINCT a FROM t WHERE a = 1")),
    Reason.CachedBranch -> (() => cached()),
    Reason.MayOverlap -> (() =>
      verdicts("SELECT a FROM t WHERE b = 1 UNION ALL SELECT a FROM t WHERE c = 1")),
    Reason.PruningLost -> (() => pruning()),
    Reason.ResidualCondition ->
      (() => verdicts("SELECT * FROM t l LEFT ANTI JOIN t r ON l.a = r.a AND l.b < r.b")),
    Reason.NullableKey -> (() =>
      verdicts("SELECT * FROM t WHERE c NOT IN (SELECT c FROM t WHERE c > 1)")),
    Reason.NestedPredicate -> (() =>
      verdicts("SELECT * FROM t WHERE a = 1 OR c IN (SELECT c FROM t WHERE c > 1)")),
    Reason.UnsupportedExpression -> (() => python()),
    Reason.MayFail -> (() =>
      verdicts(
        "SELECT a FROM t WHERE raise_error('x') IS NULL EXCEPT SELECT a FROM t WHERE b = 1")),
    Reason.CountingOff -> (() => withConf(SieveConf.SETOP_COUNTING_ENABLED.key, "false")),
    Reason.BelowGate -> (() => withConf(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key, "1GB")),
    Reason.CteBoundary -> (() =>
      verdicts("""WITH x AS (SELECT l.a, r.k FROM t l JOIN z r ON l.a = r.k),
      y AS (SELECT l.a, r.k FROM t l JOIN z r ON l.a = r.k)
      SELECT a FROM x WHERE k = 1 UNION SELECT a FROM y WHERE k = 2""")),
    Reason.InternalError -> (() => internal())
  )

  for ((reason, entries) <- provoked) {
    test(s"${reason.code}: ${reason.meaning}") {
      val found = entries()
      assert(found.exists(_.reason.contains(reason)), found)
    }
  }

  test(
    "every reason of the closed list has its query, here or in its feature, and the list is complete") {
    assert(
      provoked.map(_._1).toSet ++ DynamicFilterReasonsSuite.provoked ++
        AdaptiveFilterSuite.provoked ++ BulkFilterTest.provoked == Reason.all.toSet)
    val declared = classOf[Reason].getDeclaredClasses.filter(classOf[Reason].isAssignableFrom(_))
    assert(declared.length == Reason.all.length, declared.mkString(", "))
    assert(Reason.all.map(_.code).distinct.length == Reason.all.length)
    for (r <- Reason.all) {
      assert(r.code.matches("[a-z]+(-[a-z]+)*"), r.code)
      assert(r.meaning.endsWith(".") && r.meaning.head.isUpper, r.meaning)
    }
  }

  private def verdicts(query: String): Seq[Report.Entry] = planned(sql(query))._2

  private def verdictsOf(query: => DataFrame): Seq[Report.Entry] = planned(query)._2

  private def ruled(plan: LogicalPlan): Seq[Report.Entry] =
    Report.collecting(SessionRewriteSetOperations(spark)(plan))._2

  /** The verdicts on what is read from a new folder. */
  private def inFolder(read: String => Seq[Report.Entry]): Seq[Report.Entry] = {
    var entries = Seq.empty[Report.Entry]
    withTempPath(folder => entries = read(folder.getCanonicalPath))
    entries
  }

  private def snapshots(): Seq[Report.Entry] = inFolder { path =>
    spark.range(5).write.parquet(path)
    val old = spark.read.parquet(path)
    spark.range(5).write.mode("append").parquet(path)
    verdictsOf(spark.read.parquet(path).except(old.where("id = 1")))
  }

  private def streaming(): Seq[Report.Entry] = {
    val stream = spark.readStream.format("rate").load()
    ruled(
      stream
        .select("value")
        .where("value < 3")
        .union(stream.select("value").where("value > 3"))
        .distinct()
        .queryExecution
        .analyzed)
  }

  private def malformed(): Seq[Report.Entry] = inFolder { path =>
    sql("SELECT a, b, c FROM t").write.csv(path)
    def read = spark.read
      .option("mode", "DROPMALFORMED")
      .schema("a INT, b INT, c INT")
      .csv(path)
    verdictsOf(read.select("a").except(read.where("b = 1").select("a")))
  }

  private def overwritten(): Seq[Report.Entry] = inFolder { path =>
    spark.range(5).write.parquet(path)
    val rows = spark.read.parquet(path)
    val rest = rows.exceptAll(rows.where("id < 3"))
    Report.collecting(rest.write.mode("overwrite").parquet(path))._2
  }

  private def json(): Seq[Report.Entry] = inFolder { path =>
    sql("SELECT a, b, c FROM t").write.json(path)
    def read = spark.read.schema("a INT, b INT, c INT").json(path)
    verdictsOf(read.except(read.where("c IS NULL")))
  }

  private def cached(): Seq[Report.Entry] = {
    var entries = Seq.empty[Report.Entry]
    withTempView("kept") {
      sql("CREATE TEMP VIEW kept AS SELECT a FROM t WHERE b = 1")
      spark.catalog.cacheTable("kept")
      try entries = verdicts("SELECT a FROM kept UNION SELECT a FROM t WHERE b = 2")
      finally spark.catalog.uncacheTable("kept")
    }
    entries
  }

  private def pruning(): Seq[Report.Entry] = {
    var entries = Seq.empty[Report.Entry]
    withTable("p") {
      sql("CREATE TABLE p USING parquet PARTITIONED BY (part) AS SELECT a, b, a % 3 AS part FROM t")
      entries = verdicts("SELECT a FROM p WHERE part = 1 UNION SELECT a FROM p WHERE b = 2")
    }
    entries
  }

  private def python(): Seq[Report.Entry] = {
    val plan = sql("SELECT a FROM t EXCEPT SELECT a FROM t WHERE b > 1").queryExecution.analyzed
    ruled(plan.transformAllExpressions { case g: GreaterThan =>
      PythonUDF("f", null, BooleanType, g.children, evalType = 100, udfDeterministic = true)
    })
  }

  private def withConf(key: String, value: String): Seq[Report.Entry] = {
    var entries = Seq.empty[Report.Entry]
    withSQLConf(key -> value) {
      entries = verdicts("SELECT a FROM t EXCEPT SELECT a FROM t WHERE b = 1")
    }
    entries
  }

  private def internal(): Seq[Report.Entry] = {
    val rule =
      new RewriteSetOperations(Seq(AlwaysFailing), _ => new SetOpContext(spark.sessionState.conf))
    Report
      .collecting(rule(sql("SELECT a FROM t EXCEPT SELECT a FROM t").queryExecution.analyzed))
      ._2
  }
}
