// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import java.io.File
import java.net.{HttpURLConnection, URL}
import java.nio.file.Files

import scala.io.Source

import org.scalatest.time.SpanSugar._

import org.apache.spark.SparkConf
import org.apache.spark.deploy.history.sieve.TestHistoryServer
import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.functions.col
import org.apache.spark.util.Utils

import io.sparksieve.{SieveExtensions, SieveTest}
import io.sparksieve.report.{MeasureRanges, MeasuringExec}

/** The tab in Spark's UI and in the history server, read over HTTP. */
class TabSmokeSuite extends SieveTest {

  private lazy val logs: File = Files.createTempDirectory("sieve-log").toFile

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set("spark.ui.enabled", "true")
      .set("spark.ui.port", "0")
      .set("spark.eventLog.enabled", "true")
      .set("spark.eventLog.dir", logs.toURI.toString)
      .set("spark.eventLog.compress", "false")
      .set("spark.sql.ui.retainedExecutions", "20")
      .set("spark.sieve.dynamicFilter.minScanBytes", "0")

  override protected def afterAll(): Unit =
    try super.afterAll()
    finally Utils.deleteRecursively(logs)

  private def page(address: String): String = {
    val connection = new URL(address).openConnection().asInstanceOf[HttpURLConnection]
    assert(connection.getResponseCode == 200, address)
    val in = Source.fromInputStream(connection.getInputStream, "UTF-8")
    try in.mkString
    finally in.close()
  }

  private def tab(path: String): String = {
    sparkContext.listenerBus.waitUntilEmpty()
    page(sparkContext.uiWebUrl.get + path)
  }

  private def executions: Seq[Long] = {
    "query/\\?id=(\\d+)".r
      .findAllMatchIn(tab("/Sieve/"))
      .map(_.group(1).toLong)
      .toList
      .reverse
  }

  /** Runs the query, and returns the page about it. */
  private def pageAfter(run: => Unit): String = {
    val before = executions
    run
    val added = executions.diff(before)
    assert(added.size == 1, added)
    tab(s"/Sieve/query/?id=${added.head}")
  }

  private def except() =
    spark
      .sql("SELECT a, b FROM VALUES (1, 2), (3, 4) t(a, b) WHERE a > 0")
      .createOrReplaceTempView("t")

  test("a set operation that was rewritten, though no operator of Sieve is left") {
    except()
    val html = pageAfter(
      spark.sql("SELECT * FROM t WHERE a > 1 EXCEPT SELECT * FROM t WHERE b > 5").collect())
    assert(html.contains("ReplaceExceptWithNotFilter"), html)
    assert(html.contains("applied"))
  }

  test("a reason why a rule declined, with its meaning") {
    except()
    val html =
      pageAfter(spark.sql("SELECT a FROM t UNION ALL SELECT a FROM t WHERE b > 5").collect())
    assert(html.contains("may-overlap"), html)
    assert(html.contains("it cannot be proved that no row passes both filters"))
  }

  test("what a join read, kept and collected; paths and predicates are escaped") {
    withTempPath { dir =>
      val odd = new File(dir, "a<script>b").getPath
      spark.range(1000).select(col("id").as("k"), (col("id") % 10).as("v")).write.parquet(odd)
      spark
        .range(20)
        .select(col("id").as("k"), (col("id") % 2).as("w"))
        .write
        .parquet(s"${dir.getPath}/dim")
      val joined = spark.read
        .parquet(odd)
        .join(spark.read.parquet(s"${dir.getPath}/dim").where("w = 1 AND '<b>' < '<c>'"), "k")
      val html = pageAfter(assert(joined.collect().length == 10))
      assert(html.contains("InjectDynamicFilter") && html.contains("Scans with filters"), html)
      assert(
        html.contains("10 of 1,000 rows kept") || html.matches("(?s).* files? skipped.*"),
        html)
      assert(html.contains("&lt;script&gt;") && !html.contains("a<script>b"))
      val all = tab("/Sieve/")
      assert(all.contains("Tables whose filters keep few of the rows that are read"), all)
      assert(!all.contains("a<script>b"))
    }
  }

  test("orders of an adaptive filter as a chart") {
    withTempPath { dir =>
      spark.range(20000).selectExpr("id", "cast(id AS string) s").write.parquet(dir.getPath)
      val html =
        pageAfter(spark.read.parquet(dir.getPath).where("s RLIKE '1.*2' AND id % 7 = 3").collect())
      assert(html.contains("PlanAdaptiveFilter") && html.contains("Order of predicates over time"))
      assert(html.contains("<svg") && html.contains("RLIKE"), html)
    }
  }

  test("queries about which there is nothing to say, and addresses that name no query") {
    val before = executions
    spark.range(3).collect()
    assert(executions == before)
    Seq("?id=999999", "?id=x", "").foreach { query =>
      assert(tab(s"/Sieve/query/$query").contains("There is no such query"))
    }
  }

  test("a second session adds no second tab, and no more queries are kept than Spark keeps") {
    except()
    val other = SparkSession.builder().getOrCreate().newSession()
    other.sql("SELECT 1").collect()
    // What a session does that applies the extensions again.
    new SieveExtensions()(new SparkSessionExtensions)
    assert(sparkContext.ui.get.getTabs.count(_.name == "Sieve") == 1)
    assert(
      sparkContext.ui.get.getTabs.sortBy(_.displayOrder).map(_.name).takeRight(2) ==
        Seq("SQL / DataFrame", "Sieve"))
    (1 to 30).foreach { i =>
      spark.sql(s"SELECT * FROM t WHERE a > $i EXCEPT SELECT * FROM t WHERE b > 5").collect()
    }
    // The store drops old entries in a thread of its own.
    eventually(timeout(30.seconds))(
      assert(executions.size <= 20 && executions.size >= 10, executions))
  }

  test("texts that Spark redacts are redacted") {
    withTempPath { dir =>
      spark.range(20).selectExpr("id", "cast(id AS string) s").write.parquet(dir.getPath)
      withConf("spark.sql.redaction.string.regex" -> "secret[0-9]+") {
        val html = pageAfter(
          spark.read.parquet(dir.getPath).where("s RLIKE 'secret12' AND id % 7 = 3").collect())
        assert(html.contains("RLIKE") && !html.contains("secret12"), html)
      }
    }
  }

  test("verdicts on a cached plan, and its figures, are with the query that materialized it") {
    withTempPath { dir =>
      spark.range(20000).selectExpr("id", "cast(id AS string) s").write.parquet(dir.getPath)
      val cached = spark.read.parquet(dir.getPath).where("s RLIKE '1.*2' AND id % 7 = 3").cache()
      val again = cached.where("id > 5").cache()
      again.createOrReplaceTempView("again")
      try {
        val html = pageAfter(again.count())
        assert(html.contains("PlanAdaptiveFilter") && html.contains("rows kept; evaluated"), html)
        assert(html.contains("20,000") && html.contains("<svg"), html)
        val report = spark
          .sql("SELECT rule, outcome, place FROM sieve_report('again')")
          .collect()
          .map(_.mkString("|"))
        assert(report.exists(_.matches("PlanAdaptiveFilter\\|applied\\|.* \\(cached\\)")), report)
        val before = executions
        again.collect()
        assert(executions == before)
      } finally {
        again.unpersist()
        cached.unpersist()
      }
    }
  }

  test("what operators measured is read once for all listeners, and again after another run") {
    val strategies = spark.experimental.extraStrategies
    spark.experimental.extraStrategies = Seq(MeasureRanges)
    try {
      val df = spark.range(41).toDF()
      (1 to 2).foreach { run =>
        val before = MeasuringExec.reads.get
        val html = pageAfter(df.collect())
        assert(html.contains("range of 41 numbers") && html.contains("41 rows"), html)
        assert(MeasuringExec.reads.get == before + 1, s"run $run")
      }
    } finally spark.experimental.extraStrategies = strategies
  }

  test("micro-batches of streams leave no rows") {
    val before = executions
    withTempPath { dir =>
      spark.range(20).write.parquet(dir.getPath)
      val stream = spark.readStream.schema("id LONG").parquet(dir.getPath).where("id > 3")
      val query = stream.writeStream.format("memory").queryName("tabbed").start()
      try query.processAllAvailable()
      finally query.stop()
    }
    assert(executions == before)
  }

  test("the master switch") {
    except()
    val before = executions
    withConf("spark.sieve.enabled" -> "false") {
      spark.sql("SELECT * FROM t EXCEPT SELECT * FROM t WHERE b > 5").collect()
      // Waits for the listener, which reads the switch when the query has ended.
      assert(executions == before)
    }
  }

  test("the history server shows the same page") {
    except()
    val live = pageAfter(
      spark.sql("SELECT * FROM t WHERE a > 1 EXCEPT SELECT * FROM t WHERE b > 7").collect())
    val id = executions.last
    TestHistoryServer(logs.toURI.toString) { server =>
      eventually(timeout(30.seconds)) {
        // As a reader gets there: from the tab's page, by its link.
        val all = page(s"$server/${sparkContext.applicationId}/Sieve/")
        val link = s"""href="([^"]*query/\\?id=$id)"""".r.findFirstMatchIn(all).get.group(1)
        assert(link.startsWith("/history/"), link)
        val html = page(server.stripSuffix("/history") + link)
        assert(html.contains("ReplaceExceptWithNotFilter"))
        assert(tables(html) == tables(live))
      }
    }
  }

  private def tables(html: String) = "(?s)<tbody>.*?</tbody>".r.findAllIn(html).toList
}
