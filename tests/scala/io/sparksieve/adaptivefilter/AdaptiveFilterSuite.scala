// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.execution.{FileSourceScanExec, WholeStageCodegenExec}
import org.apache.spark.sql.functions.{col, udf}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.exec.{
  AdaptiveColumnarFilterExec,
  AdaptiveFilter,
  AdaptiveFilterExec
}
import io.sparksieve.adaptivefilter.learn.FilterStates
import io.sparksieve.adaptivefilter.predicate.Precedence
import io.sparksieve.conf.{PolicySettings, SieveConf}
import io.sparksieve.report.core.Reason

/** Adaptive filters in queries: their positions in plans, and the rows. */
class AdaptiveFilterSuite extends AdaptiveFilterTest {

  private val codegen = Seq(
    "generated code" -> Map.empty[String, String],
    "no whole stages" -> Map(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false"),
    "interpreted" -> Map(
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false",
      SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN")
  )

  for {
    aqe <- Seq("true", "false")
    (mode, settings) <- codegen
    policy <- PolicySettings.names
  } test(s"batches and rows: adaptive execution $aqe, $mode, policy $policy") {
    val all = settings.toSeq ++ Seq(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe,
      SieveConf.ADAPTIVE_FILTER_POLICY.key -> policy,
      SieveConf.ADAPTIVE_FILTER_COLLECT_RATE.key -> "10",
      SieveConf.ADAPTIVE_FILTER_CALCULATE_RATE.key -> "1000"
    )
    withConf(all: _*) {
      FilterStates.clear()
      val batches = assertAdaptive(sql(Mixed))
      // Without whole-stage code generation, Spark reads rows.
      val columnar = mode == "generated code"
      assert(
        batches.filters.forall(_.isInstanceOf[AdaptiveColumnarFilterExec] == columnar),
        batches.plan)
      assert(batches.metric("numReorders") > 0, batches.plan)
      assert(batches.plain.isEmpty, batches.plan)
      val rows = withConf(SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false") {
        assertAdaptive(sql(Mixed))
      }
      assert(rows.filters.forall(_.isInstanceOf[AdaptiveFilterExec]), rows.plan)
      if (mode == "generated code") {
        for (ran <- Seq(batches, rows))
          assert(
            collect(ran.plan) { case w: WholeStageCodegenExec => w }
              .exists(_.exists(_.isInstanceOf[AdaptiveFilter])),
            ran.plan)
      }
    }
  }

  test("the scan keeps its pushed filters and its columns") {
    val scan = collect(assertAdaptive(sql(Mixed)).plan) { case s: FileSourceScanExec => s }.head
    assert(scan.output.map(_.name).toSet == Set("id", "memory", "s", "cpu", "hour"))
    assert(scan.dataFilters.map(_.sql).exists(_.contains("memory > 60")), scan.dataFilters)
  }

  test("explain shows the predicates as written, those that may fail, and the policy") {
    val text = withConf(SQLConf.ANSI_ENABLED.key -> "true") {
      sql("SELECT id FROM logs WHERE cpu > 30 AND 100 / d > 1 AND s LIKE '%7'").queryExecution
        .explainString(org.apache.spark.sql.execution.SimpleMode)
    }
    assert(text.contains("AdaptiveFilter ["), text)
    assert("may fail".r.findAllIn(text).size == 1, text)
    assert(text.contains(", greedy"), text)
  }

  test("ORC, CSV, JSON, a shuffle, a join, an aggregation's HAVING") {
    withTempPath { dir =>
      for (format <- Seq("orc", "csv", "json")) {
        val path = s"$dir/$format"
        spark.table("logs").drop("day").write.format(format).save(path)
        val schema = spark.table("logs").drop("day").schema
        assertAdaptive(
          spark.read
            .schema(schema)
            .format(format)
            .load(path)
            .where("s RLIKE '^[0-9]*7$' AND memory > 60 AND cpu > 30"))
      }
    }
    assertAdaptive(
      sql("SELECT hour, max(s) FROM logs GROUP BY hour " +
        "HAVING max(s) LIKE '%o%' AND min(s) RLIKE '^[0-9]+$' AND count(*) > 3"))
    assertAdaptive(
      sql("SELECT a.id FROM logs a LEFT JOIN logs b ON a.id = b.id + 1 " +
        "WHERE concat(a.s, coalesce(b.s, '')) RLIKE '7' AND a.cpu < coalesce(b.cpu, 50)"))
  }

  test("batches without generated code, where a predicate has none") {
    val ran = assertAdaptive(sql(
      "SELECT id, memory FROM logs WHERE exists(array(cpu, hour), x -> x > 20) AND memory > 60 AND cpu > 30"))
    assert(ran.filters.forall(_.isInstanceOf[AdaptiveColumnarFilterExec]), ran.plan)
    val line = ran.plan.toString.split('\n').filter(_.contains("AdaptiveFilter"))
    // Spark 4.3 generates code for this predicate.
    val hasNone = ran.filters.exists(_.condition.exists(_.isInstanceOf[CodegenFallback]))
    assert(line.nonEmpty && line.exists(_.contains("*(")) != hasNone, ran.plan)
  }

  test("cached tables, of numbers alone and of strings too") {
    for ((columns, columnar) <- Seq("id, cpu, hour, d" -> true, "id, cpu, hour, s" -> false)) {
      val cached = sql(s"SELECT $columns FROM logs").cache()
      try {
        val where =
          if (columnar) "cpu > 30 AND hour > 7 AND d > 2"
          else "s LIKE '%7' AND cpu > 30 AND hour > 7"
        val ran = assertAdaptive(cached.where(where))
        assert(ran.filters.exists(_.isInstanceOf[AdaptiveColumnarFilterExec]) == columnar, ran.plan)
      } finally cached.unpersist(blocking = true)
    }
  }

  test("subqueries' values and lists of values") {
    assertAdaptive(
      sql(
        "SELECT id FROM logs WHERE s LIKE '%7' AND cpu > (SELECT avg(cpu) FROM logs) AND hour IN " +
          (1 to 20).mkString("(", ", ", ")")))
  }

  test("nested types, decimals and NULL in every kind of column") {
    withTable("kinds") {
      spark
        .range(2000)
        .selectExpr(
          "if(id % 7 = 0, NULL, id) AS a",
          "if(id % 5 = 0, NULL, cast(id AS DECIMAL(30, 2))) AS wide",
          "if(id % 3 = 0, NULL, named_struct('x', id % 10, 'y', array(id))) AS st",
          "if(id % 4 = 0, NULL, cast(cast(id AS STRING) AS BINARY)) AS bin",
          "if(id % 6 = 0, cast('NaN' AS DOUBLE), if(id % 9 = 0, -0.0D, cast(id AS DOUBLE))) AS f",
          "if(id % 8 = 0, NULL, id % 2 = 0) AS flag"
        )
        .write
        .saveAsTable("kinds")
      for (where <- Seq(
          "wide > 10.5 AND a < 1500",
          "st.x > 3 AND a IS NOT NULL AND flag",
          "size(st.y) > 0 AND f = 0.0",
          "f > 100 AND NOT flag AND a <=> a",
          "bin IS NULL AND a > 3",
          "(a > 5 OR wide IS NULL) AND (st.x = 1 OR flag) AND f IS NOT NULL"
        )) {
        for (vectorized <- Seq("true", "false"))
          withConf(SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized) {
            checked(sql(s"SELECT * FROM kinds WHERE $where"))
          }
        val ran = checked(sql(s"SELECT * FROM kinds WHERE $where"))
        assert(ran.filters.nonEmpty, s"$where\n${ran.plan}")
      }
    }
  }

  test("no row, no column, and every row") {
    assert(checked(sql("SELECT id FROM logs WHERE cpu > 98 AND s LIKE '%zz%'")).rows.isEmpty)
    assert(
      checked(sql("SELECT count(*) FROM logs WHERE cpu >= 0 AND s LIKE '%'")).rows == Seq(
        Row(20000L)))
    checked(sql("SELECT id FROM logs WHERE cpu >= 0 AND length(s) > 0"))
  }

  test("reasons") {
    withConf(SQLConf.ANSI_ENABLED.key -> "true") {
      assertLeft(Reason.FixedOrder)(
        sql("SELECT id FROM logs WHERE cpu > 3 AND 100 / (d + 100) > 0 AND cast(id AS INT) > 1"))
    }
    assertLeft(Reason.GuardsDiffer)(
      sql("SELECT id FROM logs WHERE memory IS NOT NULL AND s LIKE '%7' AND cpu > 3 " +
        "AND rand(3) < 0.5"))
    assertLeft(Reason.DeferredColumn)(
      sql("SELECT id, r FROM (SELECT id, s, try_cast(s AS INT) AS i, rand(1) AS r FROM logs) " +
        "WHERE s RLIKE '^[0-9]+$' AND upper(s) < '7' AND i > 3"))
    assertLeft(Reason.LittleToGain)(
      sql("SELECT * FROM (SELECT hour, min(cpu) AS a, max(cpu) AS b, max(d) AS c FROM logs " +
        "GROUP BY hour) WHERE a > 0 AND b < 99 AND c > 3"))
    assertLeft(Reason.SharedSubexpression)(
      sql("SELECT id FROM logs WHERE substring_index(s, '7', 2) > 'a' AND cpu > 3 " +
        "AND length(substring_index(s, '7', 2)) < 3"))
    val many = (0 to Precedence.MaxPredicates).map(i => s"cpu <> ${i + 200}").mkString(" AND ")
    withConf(SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> "") {
      assertLeft(Reason.TooManyPredicates)(
        sql(s"SELECT id FROM logs WHERE ${many.replace("cpu <>", "cpu % 1000 <>")}"))
    }
  }

  test("predicates of more columns than a method has arguments") {
    withTable("wide") {
      val columns = (0 until 130).map(i => s"id + $i AS c$i")
      spark.range(100).selectExpr(columns: _*).write.saveAsTable("wide")
      val first = (0 until 130).map(i => s"c$i").mkString("coalesce(", ", ", ")")
      assertLeft(Reason.TooManyPredicates)(
        sql(s"SELECT c0 FROM wide WHERE $first % 7 = 3 AND c1 % 5 = 2 AND length(c2) > 1"))
    }
  }

  test("a filter of one predicate is none of the feature's") {
    assert(verdicts(sql("SELECT id FROM logs WHERE cpu > 3")).isEmpty)
    assert(checked(sql("SELECT id FROM logs WHERE cpu > 3")).filters.isEmpty)
  }

  test("the switch") {
    for (off <- Seq(
        SieveConf.ADAPTIVE_FILTER_ENABLED.key,
        SieveConf.ENABLED.key,
        "spark.sql.adaptiveFilter.enabled"))
      withConf(off -> "false") {
        assert(checked(sql(Mixed)).filters.isEmpty, off)
      }
  }

  test("engines that replace filters are given Spark's own") {
    withConf("spark.plugins" -> "org.apache.gluten.GlutenPlugin") {
      assertLeft(Reason.ForeignOperator)(sql(Mixed))
      withConf("spark.gluten.enabled" -> "false")(assert(checked(sql(Mixed)).filters.nonEmpty))
    }
    withConf("spark.plugins" -> "org.example.SomePlugin") {
      assert(checked(sql(Mixed)).filters.nonEmpty)
    }
  }

  test("functions of the user keep their place, and are evaluated for no row that they were not") {
    val seen = spark.sparkContext.collectionAccumulator[Int]
    val odd = udf { (d: Int) =>
      seen.add(d)
      require(d > 0)
      d % 2 == 1
    }
    val query = spark.table("logs").where(col("d") > 0 && odd(col("d")) && col("s").like("%7"))
    assertAdaptive(query)
    assert(!seen.value.isEmpty && seen.value.stream.allMatch(_ > 0))
  }
}

object AdaptiveFilterSuite {

  /** The feature's own reasons; the test of reasons has a query for each. */
  val provoked: Set[Reason] = Set(
    Reason.TooManyPredicates,
    Reason.FixedOrder,
    Reason.GuardsDiffer,
    Reason.DeferredColumn,
    Reason.SharedSubexpression,
    Reason.LittleToGain)
}
