// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import scala.concurrent.duration._

import org.apache.logging.log4j.Level

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, Literal, PythonUDF}
import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.execution.{FilterExec, LeafExecNode}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{BooleanType, IntegerType}

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.exec.DynamicFilterExec
import io.sparksieve.dynamicfilter.optimize.FilterProvenance
import io.sparksieve.report.core.{Layer, NotPushed, NotPushedReason, PredicateText}

/** Which predicate belongs to which scan of a query. */
class QueryPushdownSuite extends QueryPushdownTest {

  private def places(query: String): Seq[(String, Seq[String])] =
    explained(sql(query)).map { s =>
      (
        s.place.stripPrefix("spark_catalog.default."),
        s.predicates.map(p => s"${p.sql}: ${p.layers}"))
    }

  for (adaptive <- Seq("true", "false")) {
    def bothWays(name: String)(body: => Unit): Unit =
      test(s"$name, adaptive execution $adaptive") {
        withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive)(body)
      }

    bothWays("joins: each side its own") {
      val query = "SELECT * FROM fact JOIN dim ON fact.id = dim.id WHERE s = 'x' AND k = 1"
      val fact = Seq("s = 'x': pushed, spark", "id IS NOT NULL: pushed, spark")
      val dim = "dim" -> Seq("k = 1L: pushed, spark", "id IS NOT NULL: pushed, spark")
      withSQLConf(SieveConf.DYNAMIC_FILTER_ENABLED.key -> "false") {
        assert(places(query) == Seq("fact" -> fact, dim))
      }
      val keys = "id IN (keys of spark_catalog.default.dim.id)"
      // With adaptive execution, it is decided later whether the keys are pushed into the scan.
      val keyLayers = if (adaptive == "true") "spark" else "skipped, spark"
      assert(places(query) == Seq("fact" -> (fact :+ s"$keys: $keyLayers"), dim))
    }

    bothWays("an outer join: the condition of one side only") {
      assert(
        places("SELECT * FROM fact LEFT JOIN dim ON fact.id = dim.id AND k = 1").map(_._1) ==
          Seq("dim"))
    }

    bothWays("unions, and a common part that is planned twice") {
      assert(
        places(
          "SELECT id FROM fact WHERE s = 'x' UNION ALL SELECT id FROM fact WHERE p = 1") == Seq(
          "fact" -> Seq("s = 'x': pushed, spark"),
          "fact" -> Seq("p = 1L: skipped")))
      val common = places(
        "WITH x AS (SELECT * FROM fact WHERE id > 3) " +
          "SELECT * FROM x a JOIN x b ON a.id = b.id + 1")
      assert(common.map(_._1) == Seq("fact", "fact"))
    }

    bothWays("subqueries") {
      val found = places("""SELECT * FROM fact WHERE p = (SELECT max(k) FROM dim WHERE id < 4)
        AND EXISTS (SELECT 1 FROM dim WHERE dim.id = fact.id AND k > 1)""")
      assert(
        found.toSet.map((f: (String, Seq[String])) => (f._1, f._2.head)) == Set(
          ("fact", "p = (subquery): skipped"),
          ("dim", "id < 4L: pushed, spark"),
          ("dim", "k > 1L: pushed, spark")))
    }

    bothWays("partitions that are known when the query runs") {
      withSQLConf(
        SQLConf.DYNAMIC_PARTITION_PRUNING_FALLBACK_FILTER_RATIO.key -> "100",
        SQLConf.DYNAMIC_PARTITION_PRUNING_REUSE_BROADCAST_ONLY.key -> "false") {
        val found = places("SELECT * FROM fact JOIN dim ON p = dim.id WHERE k = 1")
        assert(found.head._2.contains("p IN (values collected at run time): skipped"), found)
        // The copy of the other side that provides the values is not reported as a scan.
        assert(found.map(_._1) == Seq("fact", "dim"))
      }
    }

    bothWays("through projections, limits of another scan, aggregations and HAVING") {
      assert(
        places("SELECT * FROM (SELECT id + 1 AS n, s FROM fact) WHERE n > 3 AND s = 'x'") == Seq(
          "fact" -> Seq("s = 'x': pushed, spark", "(id + 1L) > 3L: spark")) ||
          places("SELECT * FROM (SELECT id + 1 AS n, s FROM fact) WHERE n > 3 AND s = 'x'").head._2
            .contains("s = 'x': pushed, spark"))
      assert(places("SELECT * FROM (SELECT * FROM fact LIMIT 5) WHERE s = 'x'").isEmpty)
      assert(
        places("SELECT p, count(*) FROM fact WHERE id > 3 GROUP BY p HAVING count(*) > 2") ==
          Seq("fact" -> Seq("id > 3L: pushed, spark")))
    }
  }

  test("a copy of a join's side that gives the keys is no scan of its own") {
    withSQLConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false",
      SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1",
      SQLConf.DYNAMIC_PARTITION_PRUNING_FALLBACK_FILTER_RATIO.key -> "100",
      SQLConf.DYNAMIC_PARTITION_PRUNING_REUSE_BROADCAST_ONLY.key -> "false"
    ) {
      val query = "SELECT * FROM fact JOIN dim ON p = dim.id WHERE k = 1"
      assert(FilteredScan.in(sql(query).queryExecution.executedPlan).size == 3)
      assert(places(query).map(_._1) == Seq("fact", "dim"))
    }
  }

  test("a report of a query that nobody has planned, by all its columns") {
    val rows =
      sql("""SELECT * FROM sieve_scans("SELECT * FROM fact WHERE p = 1 AND upper(s) = 'X'")""")
    assert(
      rows.columns.toSeq == Seq(
        "scan",
        "source",
        "place",
        "predicate",
        "layers",
        "reason",
        "detail",
        "remedy",
        "rows_read",
        "rows_kept"))
    val all = rows.collect().map(r => (r.getInt(0), r.getString(3), r.getString(4), r.getString(5)))
    assert(
      all.toSet == Set(
        (1, "p = 1L", "skipped", null),
        (1, "s IS NOT NULL", "pushed, spark", null),
        (1, "upper(s) = 'X'", "spark", "computed")))
    val computed = rows.where("reason = 'computed'").head()
    assert(computed.getString(6).startsWith(NotPushedReason.Computed.meaning.stripSuffix(".")))
    assert(computed.getString(7) == NotPushedReason.Computed.remedy.get)
  }

  test("Python functions, which run in an operator of their own") {
    val t = spark.table("fact")
    val id = t.queryExecution.analyzed.output.head
    val call =
      PythonUDF("f", null, BooleanType, Seq(id), evalType = 100, udfDeterministic = true)
    val plan = Filter(call, t.queryExecution.analyzed)
    val execution = SparkCompat.plan(spark, plan)
    val scans = new ExplainScans(spark)(execution, Nil)(execution.executedPlan)._2
    val udf = scans.flatMap(_.predicates).filter(_.reason.contains("udf")).head
    assert(udf.layers == "spark" && udf.blame.exists(_.detail == "f"), udf)
  }

  test("values of files: which limit what is read, and which do not") {
    withTempDir { dir =>
      val path = s"$dir/ids"
      sql("SELECT id FROM range(3, 6)").write.parquet(path)
      val in = s"in_file(id, '$path')"
      assert(
        lines(sql(s"SELECT * FROM fact WHERE $in")).map(_.split(": ").last) == Seq(
          "skipped, spark"))
      for (where <- Seq(s"NOT $in", s"($in OR s = 'x')"))
        assertLeft(NotPushedReason.ValuesOfFiles)(sql(s"SELECT * FROM fact WHERE $where"))
    }
  }

  test("Sieve's own filters are seen through") {
    val t = sql("SELECT * FROM fact WHERE s = 'x'").queryExecution
    val plan = SparkCompat.plan(spark, t.analyzed).sparkPlan
    val key = plan.output.head
    val filtered =
      DynamicFilterExec(
        key,
        Literal(true),
        FilterProvenance("dim.id", Set.empty, "shuffle")(),
        plan)
    val conjuncts = FilteredScan.in(filtered).head.conjuncts.map(PredicateText(_))
    assert(conjuncts.contains("id IN (keys of dim.id)") && conjuncts.contains("s = 'x'"))
  }

  test("a leaf that is not known, and a plan that cannot be explained") {
    val a = AttributeReference("a", IntegerType)()
    val unknown =
      FilterExec(org.apache.spark.sql.catalyst.expressions.IsNotNull(a), Unknown(Seq(a)))
    val scan = FilteredScan.in(unknown).head
    assert(
      new OtherSource(scan.scan).answer(scan.conjuncts.head, alsoBySpark = true) ==
        Left(NotPushed(NotPushedReason.NotKnown)))
    val log = new LogAppender("warnings of ExplainScans")
    withLogAppender(log, Seq(classOf[ExplainScans].getName), Some(Level.WARN)) {
      assert(
        explained(spark.read.format(classOf[BrokenSource].getName).load().where("a > 1"))
          .map(_.predicates.map(p => (p.sql, p.layers))) == Seq(Seq("a > 1" -> "not-known, spark")))
    }
    assert(log.loggingEvents.exists(_.getMessage.getFormattedMessage.contains("no question twice")))
  }

  test("a stream runs, and its report is refused") {
    withTempDir { dir =>
      val path = dir.getCanonicalPath
      sql("SELECT id FROM fact").write.mode("overwrite").parquet(s"$path/in")
      val stream = spark.readStream.schema("id BIGINT").parquet(s"$path/in").where("id < 5")
      val query = stream.writeStream
        .format("parquet")
        .option("checkpointLocation", s"$path/checkpoint")
        .start(s"$path/out")
      try query.processAllAvailable()
      finally query.stop()
      assert(query.exception.isEmpty)
      checkAnswer(spark.read.parquet(s"$path/out").groupBy().count(), Row(5))
    }
  }

  test("nothing is recorded, or run, for others") {
    assert(BeforePushdown.recording(1)._2.isEmpty)
    val plan = sql("SELECT * FROM dim").queryExecution.analyzed
    assert(BeforePushdown(plan) eq plan)
    val before = System.nanoTime()
    explained(sql("SELECT * FROM dim WHERE raise_error('was run') IS NULL AND id > 3"))
    assert((System.nanoTime() - before).nanos < 1.minute)
  }

  test("every obstacle has a code, a sentence and a place in the list") {
    val declared =
      classOf[NotPushedReason].getDeclaredClasses.filter(
        classOf[NotPushedReason].isAssignableFrom(_))
    assert(declared.length == NotPushedReason.all.length, declared.mkString(", "))
    assert(NotPushedReason.all.map(_.code).distinct.length == NotPushedReason.all.length)
    for (o <- NotPushedReason.all) {
      assert(o.code.matches("[a-z0-9]+(-[a-z0-9]+)*"), o.code)
      for (text <- o.meaning +: o.remedy.toSeq)
        assert(text.endsWith(".") && text.head.isUpper, text)
    }
    assert(Layer.all.map(_.name).distinct.length == Layer.all.length)
    assert(Layer.all.forall(_.meaning.endsWith(".")))
  }
}

private case class Unknown(output: Seq[Attribute]) extends LeafExecNode {
  override protected def doExecute()
      : org.apache.spark.rdd.RDD[org.apache.spark.sql.catalyst.InternalRow] =
    throw new UnsupportedOperationException
}
