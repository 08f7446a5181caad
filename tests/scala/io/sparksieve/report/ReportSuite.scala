// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.sparksieve.SieveTest
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Reason, Report}

/** The table functions: verdicts, plans, versions, and errors for wrong arguments. */
class ReportSuite extends SieveTest {

  private val except = "SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1"

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE t USING parquet AS SELECT id AS a, id % 3 AS b FROM range(10)")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS t")
    finally super.afterAll()

  /** The report's rows about rules; other suites test the rows about scans. */
  private def report(query: String): Seq[Row] = sql(
    "SELECT * FROM sieve_report(\"" + query.replace("\"", "\\\"") + "\") " +
      "WHERE feature <> 'pushdown'").collect().toSeq

  private def message(query: String): String = {
    val e = intercept[Exception](sql(query).collect())
    causes(e).map(_.toString).mkString(" ")
  }

  test("one row a verdict, numbered, with the reason's code and its meaning") {
    val verdicts =
      sql(s"SELECT * FROM sieve_report('$except EXCEPT ALL SELECT a FROM t WHERE b = 1')")
    assert(
      verdicts.schema.map(f => f.name -> f.dataType) ==
        ("id" -> IntegerType) +: Seq("feature", "rule", "outcome", "reason", "place", "detail").map(
          _ -> StringType))
    val rows = verdicts.collect().toSeq.filter(_.getAs[String]("feature") != "pushdown")
    assert(rows.map(_.getInt(0)) == (1 to rows.length))
    assert(
      rows.map(r => (r.getString(1), r.getString(2), r.getString(3), r.getString(4))) == Seq(
        ("setop", "ReplaceExceptWithNotFilter", "applied", null),
        ("setop", "ReplaceExceptWithNotFilter", "declined", "not-row-determined"),
        ("setop", "ReplaceSetOpWithCounts", "declined", "distinct-branch")
      ))
    assert(rows.map(_.getString(5)).forall(_.startsWith("EXCEPT")))
    assert(rows(1).getString(6) == Reason.NotRowDetermined.meaning)
    assert(rows.head.getString(5).contains("from spark_catalog.default.t"))
  }

  test("the applied filter is shown") {
    val detail = report(except).head.getString(6)
    assert(
      detail.contains("one scan") && detail.contains("NOT (spark_catalog.default.t.a <=> "),
      detail)
  }

  test("a view's name, a temporary one's, a table's, a qualified one, SQL text with quotes") {
    withView("kept") {
      sql(s"CREATE VIEW kept AS $except")
      assert(report("kept").length == 1)
      assert(report(" default.kept ").length == 1)
      assert(report("spark_catalog.default.kept").length == 1)
    }
    withTempView("v", "odd name") {
      sql(s"CREATE TEMP VIEW v AS $except")
      sql(s"CREATE TEMP VIEW `odd name` AS $except")
      assert(report("v").length == 1)
      assert(report("`odd name`").length == 1)
      assert(report("SELECT count(*) FROM v").length == 1)
    }
    assert(report("t").isEmpty)
    assert(report("SELECT a, 'x' AS s FROM t EXCEPT SELECT a, 'x' FROM t WHERE a = 1").length == 1)
    assert(report(s"WITH q AS ($except) SELECT * FROM q").length == 1)
  }

  test("of more than two paths, the first one is named, and the number of the others") {
    withTempPath { dir =>
      val paths = (1 to 4).map(i => s"$dir/part$i")
      paths.foreach(spark.range(9).write.parquet(_))
      def place(paths: Seq[String]) = {
        spark.read.parquet(paths: _*).createOrReplaceTempView("parts")
        val query = "SELECT id FROM parts EXCEPT SELECT id FROM parts WHERE id = 1"
        report(query).head.getString(5)
      }
      withTempView("parts") {
        assert(place(paths.take(2)).endsWith("from parquet part1, part2"))
        assert(place(paths).endsWith("from parquet part1 and 3 more"))
      }
    }
  }

  test("a query without any place has an empty report") {
    assert(report("SELECT a FROM t WHERE b = 1 ORDER BY a LIMIT 3").isEmpty)
  }

  test("the report works where the query it is in has places of its own") {
    val rows = sql(s"SELECT feature FROM sieve_report('$except') EXCEPT SELECT 'other'").collect()
    assert(rows.toSet == Set(Row("setop"), Row("pushdown")))
  }

  test("switched off, nothing is reported") {
    for (switch <- Seq(SieveConf.ENABLED, SieveConf.SETOP_ENABLED)) {
      withSQLConf(switch.key -> "false")(assert(report(except).isEmpty))
    }
  }

  test("arguments that are not one string") {
    for {
      function <- Seq("sieve_report", "sieve_scans", "sieve_explain", "sieve_json")
      arguments <- Seq("", "1", "NULL", "'a', 'b'", "cast(NULL AS STRING)", "true")
    } assert(
      message(s"SELECT * FROM $function($arguments)").contains(s"$function takes one string"))
    assert(message("SELECT * FROM sieve_info('x')").contains("sieve_info takes no argument"))
  }

  test("a constant expression is a string too") {
    assert(
      sql("SELECT * FROM sieve_report(concat('SELECT a FROM t EXCEPT ', " +
        "'SELECT a FROM t WHERE a = 1')) WHERE feature = 'setop'").count() == 1)
  }

  test("Spark's own errors for what is no query") {
    assert(message("SELECT * FROM sieve_report('nowhere')").contains("TABLE_OR_VIEW_NOT_FOUND"))
    assert(
      message("SELECT * FROM sieve_report('SELECT a FROM t WHERE (')")
        .contains("PARSE_SYNTAX_ERROR"))
    assert(
      message("SELECT * FROM sieve_report('SELECT nope FROM t')").contains("UNRESOLVED_COLUMN"))
    assert(message("SELECT * FROM sieve_report('')").contains("PARSE_"))
  }

  test("commands are reported on and not run") {
    report(s"CREATE TABLE made USING parquet AS $except")
    report("DROP TABLE t")
    report("INSERT INTO t SELECT 99, 99")
    report("SET spark.sieve.enabled=false")
    sql("SELECT * FROM sieve_explain('DROP TABLE t')").collect()
    assert(!spark.catalog.tableExists("made"))
    assert(spark.catalog.tableExists("t"))
    assert(sql("SELECT * FROM t WHERE a = 99").isEmpty)
    assert(spark.conf.get(SieveConf.ENABLED.key) == "true")
  }

  test("a streaming query is refused, with the way out") {
    withTempView("stream") {
      spark.readStream.format("rate").load().createOrReplaceTempView("stream")
      for (function <- Seq("sieve_report", "sieve_scans", "sieve_explain", "sieve_json")) {
        val said = message(s"SELECT * FROM $function('SELECT value FROM stream')")
        assert(said.contains("streaming") && said.contains("report on its batch form"), said)
      }
    }
  }

  test("sieve_explain shows the plans without and with Sieve") {
    val rows = sql(s"SELECT * FROM sieve_explain('$except')").collect()
    assert(rows.map(_.getString(0)).toSeq == Seq("optimized", "physical"))
    val exceptAll = except.replace("EXCEPT", "EXCEPT ALL")
    val plans = sql(s"SELECT before, after FROM sieve_explain('$exceptAll')").collect()
    assert(plans.head.getString(0).contains("Union") && !plans.head.getString(1).contains("Union"))
    assert(
      plans(1).getString(0).contains("Exchange") && !plans(1).getString(1).contains("Exchange"))
    withSQLConf(SieveConf.ENABLED.key -> "false") {
      val same = sql(s"SELECT before, after FROM sieve_explain('$exceptAll')").collect()
      assert(same.forall(r => r.getString(0).contains("Union") == r.getString(1).contains("Union")))
    }
  }

  test("sieve_json says what the other functions say") {
    val document = sql(s"SELECT json FROM sieve_json('$except')").head().getString(0)
    val parts = new ObjectMapper().readTree(document)
    val functions = Seq("rows" -> "sieve_report", "plans" -> "sieve_explain") ++
      Seq("orders" -> "sieve_orders", "scans" -> "sieve_scans")
    for ((part, function) <- functions) {
      // The rows about scans are in a part of their own.
      val rows = sql(s"SELECT * FROM $function('$except')")
        .where(if (part == "rows") "feature <> 'pushdown'" else "true")
      val said = parts.get(part).elements.asScala.toSeq
      assert(said.size == rows.count(), function)
      said.foreach(row => assert(row.fieldNames.asScala.toSeq == rows.columns.toSeq, function))
    }
    val first = parts.get("rows").get(0)
    assert(first.get("id").isInt && first.get("reason").isNull)
    assert(first.get("rule").asText == "ReplaceExceptWithNotFilter")
  }

  test("sieve_info names versions and jars") {
    val info =
      sql("SELECT * FROM sieve_info()").collect().map(r => r.getString(0) -> r.getString(1)).toMap
    assert(info("spark") == org.apache.spark.SPARK_VERSION)
    assert(Seq("version", "spark.line", "scala", "java", "jar").forall(info.contains))
    assert(info("jar").startsWith(info("version")))
  }

  test("DESCRIBE FUNCTION says how a call looks") {
    for (f <- Seq("sieve_report", "sieve_scans", "sieve_explain", "sieve_info")) {
      val said = sql(s"DESCRIBE FUNCTION $f").collect().map(_.getString(0)).mkString("\n")
      assert(said.contains(s"$f("), said)
    }
  }

  test("collecting nests, and ends when the body fails") {
    def add() = Report.applied("feature", "rule", "place", "detail")
    val ((_, inner), outer) = Report.collecting {
      add()
      Report.collecting(add())
    }
    assert(inner.length == 1 && outer.length == 1)
    intercept[IllegalStateException](Report.collecting[Unit](throw new IllegalStateException))
    Report.applied("feature", "rule", fail("nobody collects"), fail("nobody collects"))
  }
}
