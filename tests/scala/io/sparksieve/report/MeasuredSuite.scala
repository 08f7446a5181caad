// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report

import java.io.OutputStream
import java.lang.ref.WeakReference

import org.apache.logging.log4j.Level

import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.SessionListeners

import io.sparksieve.SieveTest
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.sql.{JoinStrategies, RunListener}

/** The report of a query contains the measurements of its operators in the last run. */
class MeasuredSuite extends SieveTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.experimental.extraStrategies = Seq(MeasureRanges)
  }

  private def report(query: String, session: SparkSession = spark): Seq[Row] =
    session
      .sql("SELECT * FROM sieve_report(\"" + query + "\") WHERE feature <> 'pushdown'")
      .collect()
      .toSeq

  /** Place and detail of the measured rows. */
  private def measured(query: String, session: SparkSession = spark): Seq[(String, String)] =
    report(query, session)
      .filter(_.getAs[String]("outcome") == "measured")
      .map(r => (r.getAs[String]("place"), r.getAs[String]("detail")))

  test("rows are added once the query has run, after the verdicts and with their columns") {
    val query = "SELECT id FROM range(20) WHERE id > 3"
    assert(report(query).map(_.getAs[String]("outcome")) == Seq("applied"))
    sql(query).collect()
    assert(
      report(query) == Seq(
        Row(1, "test", "MeasureRanges", "applied", null, "range of 20 numbers", "counts the rows"),
        Row(2, "test", "Measuring", "measured", null, "range of 20 numbers", "20 rows")
      ))
  }

  test("a report runs nothing, and calling for the report is no run") {
    val query = "SELECT id FROM range(21)"
    report(query)
    sql(s"SELECT * FROM sieve_explain('$query')").collect()
    assert(sql(query).queryExecution.executedPlan.nodeName.nonEmpty)
    assert(measured(query).isEmpty)
  }

  test("only the same query's, and the last run's") {
    sql("SELECT id FROM range(22) WHERE id > 3").collect()
    assert(measured("SELECT id FROM range(22) WHERE id > 4").isEmpty)
    assert(measured("SELECT id FROM range(22)").isEmpty)
    assert(measured("SELECT id, id FROM range(22) WHERE id > 3").isEmpty)
    val df = sql("SELECT id FROM range(22) WHERE id > 3")
    df.collect()
    df.collect()
    assert(
      measured("SELECT id FROM range(22) WHERE id > 3") == Seq(("range of 22 numbers", "22 rows")))
  }

  test("collect, count, writing, a view's name, SELECT * and WITH lead to the same query") {
    val expected = Seq(("range of 23 numbers", "23 rows"))
    withTempView("v", "w") {
      val df = spark.range(23).selectExpr("id", "id % 3 AS k")
      df.createOrReplaceTempView("v")
      sql("CREATE TEMP VIEW w AS SELECT id, id % 3 AS k FROM range(23)")
      assert(measured("v").isEmpty)
      df.write.format("noop").mode("overwrite").save()
      assert(measured("v") == expected)
      assert(measured("w").isEmpty, "another number of partitions is another range")
      sql("SELECT * FROM w").collect()
      assert(measured("w") == expected)
      assert(measured("SELECT id, id % 3 AS k FROM range(23)") == expected)
    }
    val clause = "WITH a AS (SELECT id FROM range(24)) SELECT a.id FROM a JOIN a b ON a.id = b.id"
    sql(clause).collect()
    assert(measured(clause).map(_._1).distinct == Seq("range of 24 numbers"))
    sql("SELECT id FROM range(25)").groupBy().count().collect()
    assert(
      measured("SELECT count(1) AS count FROM (SELECT id FROM range(25))").map(_._2) ==
        Seq("25 rows"))
  }

  private val actions = Seq[(String, DataFrame => Any)](
    "count()" -> (_.count()),
    "show(), take() or head()" -> (df =>
      Console.withOut(OutputStream.nullOutputStream)(df.show(2))),
    "show(), take() or head()" -> (_.take(2)),
    "show(), take() or head()" -> (_.sort("id").limit(5).first()),
    "collect()" -> (_.groupBy().max("id").collect())
  )

  for (((action, run), i) <- actions.zipWithIndex) {
    test(s"a run that contains the query counts, until the query itself has run, action ${i + 1}") {
      val n = 50 + i
      val df = sql(s"SELECT id FROM range($n) WHERE id > 3")
      run(df)
      val found = measured(s"SELECT id FROM range($n) WHERE id > 3")
      assert(found.map(_._1) == Seq("this query", s"range of $n numbers"))
      assert(found.head._2.contains(s", by $action:"))
      assert(measured(s"SELECT id FROM range($n)").isEmpty, "a filter is between")
      df.collect()
      run(df)
      assert(measured(s"SELECT id FROM range($n) WHERE id > 3").map(_._2) == Seq(s"$n rows"))
    }
  }

  for (adaptive <- Seq("true", "false")) {
    test(s"stages, broadcasts, subqueries and what is reused, adaptive execution $adaptive") {
      withSQLConf(
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive,
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1") {
        val shuffled =
          "SELECT k, count(*) AS n FROM (SELECT id % 5 AS k FROM range(30)) GROUP BY k"
        sql(shuffled).collect()
        assert(measured(shuffled) == Seq(("range of 30 numbers", "30 rows")))

        val reused = s"$shuffled UNION ALL $shuffled"
        sql(reused).collect()
        assert(measured(reused) == Seq(("range of 30 numbers", "30 rows")))

        val nested = "SELECT id FROM range(31) WHERE id > (SELECT max(id) FROM range(3)) " +
          "AND id < (SELECT max(id) FROM range(3)) + 4"
        sql(nested).collect()
        assert(
          measured(nested).toSet == Set(
            ("range of 31 numbers", "31 rows"),
            ("range of 3 numbers", "3 rows")))

        val broadcast =
          "SELECT /*+ BROADCAST(b) */ a.id FROM range(32) a JOIN range(4) b ON a.id = b.id"
        sql(broadcast).collect()
        assert(
          measured(broadcast).toSet == Set(
            ("range of 32 numbers", "32 rows"),
            ("range of 4 numbers", "4 rows")))
      }
    }
  }

  for (adaptive <- Seq("true", "false")) {
    test(s"figures of a run with another join say so, adaptive execution $adaptive") {
      val query = "SELECT a.id FROM range(70) a JOIN range(6) b ON a.id = b.id"
      val figures = Set(("range of 70 numbers", "70 rows"), ("range of 6 numbers", "6 rows"))
      withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
        sql(query).collect()
        assert(measured(query).toSet == figures)
        withSQLConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1") {
          val (run, measurements) = measured(query).splitAt(1)
          assert(
            run == Seq(
              (
                "this query",
                "with BroadcastHashJoin, while the plan shown has SortMergeJoin: the figures are " +
                  "those of that run")))
          assert(measurements.toSet == figures)
          sql(query).collect()
          assert(measured(query).toSet == figures)
        }
        assert(measured(query).head._2.startsWith("with SortMergeJoin, while"))
        sql(query).count()
        assert(measured(query).head._2.startsWith("with SortMergeJoin, while"))
      }
    }
  }

  test("a join that adaptive execution replaces while the query runs is no other join") {
    withSQLConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "true",
      SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1",
      SQLConf.ADAPTIVE_AUTO_BROADCASTJOIN_THRESHOLD.key -> "10MB"
    ) {
      val query = "SELECT a.id FROM range(73) a JOIN range(8) b ON a.id = b.id"
      val df = sql(query)
      df.collect()
      assert(df.queryExecution.executedPlan.toString.contains("BroadcastHashJoin"))
      assert(measured(query).map(_._1).toSet == Set("range of 73 numbers", "range of 8 numbers"))
    }
  }

  test("row counts of scans alone are figures of their run too") {
    val query = "SELECT a.id FROM range(74) a JOIN range(9) b ON a.id = b.id WHERE a.id > 2"
    val strategies = spark.experimental.extraStrategies
    spark.experimental.extraStrategies = Nil
    try sql(query).collect()
    finally spark.experimental.extraStrategies = strategies
    assert(measured(query).isEmpty)
    withSQLConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1") {
      assert(measured(query).map(_._1) == Seq("this query"))
    }
  }

  test("how the joins of a run and of a plan differ") {
    def said(run: String*)(shown: String*) = JoinStrategies.difference(run, shown)
    assert(said()().isEmpty && said("A", "B")("A", "B").isEmpty)
    assert(said("A", "A", "B")("B").contains("with A, which the plan shown does not have"))
    assert(said()("A").contains("without A, which the plan shown has"))
    assert(said("A", "C")("B", "C").contains("with A, while the plan shown has B"))
  }

  test("a join below a write, a subquery's join and none are strategies too") {
    val joined = "SELECT a.id FROM range(71) a JOIN range(7) b ON a.id = b.id"
    withTempPath { dir =>
      withTempView("joined") {
        sql(joined).createOrReplaceTempView("joined")
        spark.table("joined").write.parquet(dir.getCanonicalPath)
        assert(
          measured("joined").map(_._1).toSet ==
            Set("range of 71 numbers", "range of 7 numbers"))
        withSQLConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1") {
          assert(measured("joined").head._2.startsWith("with BroadcastHashJoin, while"))
        }
      }
    }
    val nested = s"SELECT id FROM range(72) WHERE id < (SELECT count(*) FROM ($joined))"
    sql(nested).collect()
    assert(!measured(nested).exists(_._1 == "this query"))
    withSQLConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1") {
      assert(measured(nested).head._2.startsWith("with BroadcastHashJoin, while"))
    }
  }

  test("files written with a shuffle before") {
    withTempPath { dir =>
      val df = spark.range(33).groupBy("id").count()
      df.createOrReplaceTempView("grouped")
      withTempView("grouped") {
        df.write.parquet(dir.getCanonicalPath)
        assert(measured("grouped") == Seq(("range of 33 numbers", "33 rows")))
      }
    }
  }

  test("switched off, nothing is shown and nothing forgotten") {
    val query = "SELECT id FROM range(34)"
    withSQLConf(SieveConf.ENABLED.key -> "false") {
      val session = spark.newSession()
      session.conf.set(SieveConf.ENABLED.key, "false")
      session.sql("SELECT 1").collect()
      assert(RunListener.of(session).isEmpty)
    }
    sql(query).collect()
    val strategies = spark.experimental.extraStrategies
    spark.experimental.extraStrategies = Nil
    try {
      assert(measured(query).isEmpty)
      sql(query).collect()
    } finally spark.experimental.extraStrategies = strategies
    assert(
      measured(query).map(_._2) == Seq(
        "before the last run, which measured only the rows of scans: the figures are those of " +
          "that run",
        "34 rows"))
  }

  test("each session has its own, registered once, again after it was taken away") {
    val query = "SELECT id FROM range(35)"
    sql(query).collect()
    val other = spark.newSession()
    other.experimental.extraStrategies = Seq(MeasureRanges)
    assert(measured(query, other).isEmpty)
    other.sql(query).collect()
    other.sql(query).collect()
    assert(measured(query, other).map(_._2) == Seq("35 rows"))
    def mine = SessionListeners(other).count(_.isInstanceOf[RunListener])
    assert(mine == 1)
    other.listenerManager.clear()
    assert(mine == 0)
    other.sql(query).collect()
    assert(mine == 1 && measured(query, other).map(_._2) == Seq("35 rows"))
  }

  test("an operator that cannot report its figures fails no query, and leaves one WARN") {
    val log = new LogAppender("warnings of RunListener")
    withLogAppender(log, Seq(classOf[RunListener].getName), Some(Level.WARN)) {
      assert(sql("SELECT id FROM range(13)").collect().length == 13)
      assert(measured("SELECT id FROM range(13)").isEmpty)
    }
    val said = log.loggingEvents.map(_.getMessage.getFormattedMessage)
    assert(said.count(_.contains("cannot measure thirteen")) == 1, said)
    sql("SELECT id FROM range(36)").collect()
    assert(measured("SELECT id FROM range(36)").map(_._2) == Seq("36 rows"))
  }

  test("a query that fails is no run") {
    val query = "SELECT if(id = 36, raise_error('boom'), id) AS x FROM range(37)"
    intercept[Exception](sql(query).collect())
    assert(measured(query).isEmpty)
  }

  test("the listener keeps no session alive") {
    def used(): WeakReference[SparkSession] = {
      val session = spark.newSession()
      session.experimental.extraStrategies = Seq(MeasureRanges)
      session.sql("SELECT id FROM range(38)").collect()
      assert(measured("SELECT id FROM range(38)", session).nonEmpty)
      new WeakReference(session)
    }
    val session = used()
    SparkSession.setActiveSession(spark)
    assert(freed(session))
  }
}
