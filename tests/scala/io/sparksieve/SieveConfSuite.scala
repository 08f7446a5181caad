// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import java.io.File
import java.nio.file.{Files, Path}

import org.apache.logging.log4j.Level
import org.json4s.{DefaultFormats, Formats}
import org.json4s.jackson.JsonMethods

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.{ConfigDocs, SieveConf, WarnOfUnknownConfigs}
import io.sparksieve.report.core.{NotPushedReason, Reason, ReasonDocs}

/**
 * Configs: values are checked when they are set, unknown names cause a warning, and the documents
 * are generated from one source.
 */
class SieveConfSuite extends SieveTest {

  /** The configs that may be set while the application runs. */
  private val settable = SieveConf.all.filterNot(c => SQLConf.isStaticConfigKey(c.key))

  private def message(body: => Unit): String =
    intercept[Exception](body).toString

  test("a wrong value is refused when it is set, and keeps what was there") {
    for (config <- settable if config.kind == "boolean") {
      for (set <- Seq[() => Unit](
          () => spark.conf.set(config.key, "maybe"),
          () => sql(s"SET ${config.key}=maybe"))) {
        val said = message(set())
        assert(Seq(config.key, "maybe", "boolean").forall(said.contains), said)
      }
      assert(spark.conf.get(config.key) == config.default)
    }
    val bytes = SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key
    for (wrong <- Seq("-1", "many", "1.5GB", "")) {
      val said = message(spark.conf.set(bytes, wrong))
      assert(said.contains(bytes) && said.contains(wrong), said)
    }
    assert(message(spark.conf.set(bytes, "-1")).contains("a size of 0 or more, such as 64MB"))
    val atLeastOne = SieveConf.DYNAMIC_FILTER_MAX_KEY_SET_BYTES.key
    assert(message(spark.conf.set(atLeastOne, "0")).contains("a size of 1 or more, such as 64MB"))
    for (config <- SieveConf.all if config.kind == "int";
      wrong <- Seq("0", "-1", "many", "1.5", "")) {
      val said = message(spark.conf.set(config.key, wrong))
      assert(said.contains(config.key), said)
      if (wrong == "0") assert(said.contains("a whole number of 1 or more"), said)
      assert(spark.conf.get(config.key) == config.default)
    }
  }

  test("adaptive filters: wrong values are refused under both names, with what is allowed") {
    for {
      (name, allowed, wrong) <- Seq(
        ("collectRate", "a whole number of 1 or more", Seq("0", "-1")),
        ("calculateRate", "a whole number of 1 or more", Seq("0", "-1")),
        ("momentum", "a number of 0 or more and below 1", Seq("1", "-0.1", "NaN"))
      )
      prefix <- Seq("spark.sieve.adaptiveFilter.", "spark.sql.adaptiveFilter.")
      value <- wrong
    } {
      val said = message(spark.conf.set(prefix + name, value))
      assert(said.contains(prefix + name) && said.contains(allowed), said)
    }
    val said = message(spark.conf.set(SieveConf.ADAPTIVE_FILTER_POLICY.key, "best"))
    assert(said.contains("one of greedy, rank"), said)
  }

  test("the prototype's names count where Sieve's own are not set") {
    def settings = SieveConf.adaptiveFilterPolicy(spark.sessionState.conf)
    withSQLConf("spark.sql.adaptiveFilter.momentum" -> "0.5") {
      assert(settings.momentum == 0.5)
      withSQLConf("spark.sieve.adaptiveFilter.momentum" -> "0.7") {
        assert(settings.momentum == 0.7)
      }
    }
    assert(settings.momentum == 0.3 && settings.collectRate == 1000)
  }

  test("right values are taken") {
    withSQLConf(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key -> "64MB") {
      assert(SieveConf.countingMinScanBytes(spark.sessionState.conf) == 64L << 20)
    }
    for (config <- settable if config.kind == "boolean"; value <- Seq("false", "TRUE")) {
      withSQLConf(config.key -> value)(assert(spark.conf.get(config.key) == value))
    }
  }

  test("a number is taken") {
    for (config <- SieveConf.all if config.kind == "int") {
      withSQLConf(config.key -> "7")(assert(spark.conf.get(config.key) == "7"))
    }
  }

  private def warnings(body: => Unit): Seq[String] = {
    val log = new LogAppender("warnings of unknown configs")
    withLogAppender(log, Seq(classOf[WarnOfUnknownConfigs].getName), Some(Level.WARN))(body)
    log.loggingEvents.map(_.getMessage.getFormattedMessage).toSeq
  }

  test("an unknown config is warned of once, naming the nearest") {
    withSQLConf(
      "spark.sieve.setop.enable" -> "false",
      "spark.sieve.setopp.counting.enabled" -> "x") {
      val said = warnings {
        sql("SELECT 1").collect()
        sql("SELECT 2").collect()
      }
      assert(
        said.sorted == Seq(
          "There is no config spark.sieve.setop.enable, so it has no effect. The nearest is spark.sieve.setop.enabled.",
          "There is no config spark.sieve.setopp.counting.enabled, so it has no effect. " +
            "The nearest is spark.sieve.setop.counting.enabled."
        ))
    }
  }

  test("it is warned of although Sieve is off; a config that exists is not") {
    withSQLConf(SieveConf.ENABLED.key -> "false", "spark.sieve.enabeld" -> "true") {
      val said = warnings(sql("SELECT 1").collect())
      assert(said.length == 1 && said.head.endsWith("The nearest is spark.sieve.enabled."), said)
    }
    withSQLConf(SieveConf.SETOP_ENABLED.key -> "true", "spark.sievex" -> "1") {
      assert(warnings(sql("SELECT 1").collect()).isEmpty)
    }
  }

  for (switch <- Seq(SieveConf.ENABLED, SieveConf.SETOP_ENABLED)) {
    test(s"${switch.key}=false: the plan is the very one without Sieve") {
      withTable("t") {
        sql("CREATE TABLE t USING parquet AS SELECT id AS a, id % 3 AS b FROM range(10)")
        for (query <- Seq(
            "SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1",
            "SELECT a FROM t INTERSECT ALL SELECT a FROM t WHERE b = 1",
            "SELECT a FROM t WHERE b = 1 UNION SELECT a FROM t WHERE b = 2",
            "SELECT * FROM t WHERE a IN (SELECT a FROM t WHERE a > 3)",
            "SELECT b AS a FROM t EXCEPT SELECT b AS a FROM t WHERE a = 1"
          )) {
          withSQLConf(switch.key -> "false") {
            val execution = sql(query).queryExecution
            assert(execution.normalized eq execution.analyzed)
            val without =
              SieveConf.bypassing(SparkCompat.plan(spark, execution.analyzed).optimizedPlan)
            comparePlans(execution.optimizedPlan, without, checkAnalysis = false)
          }
          val (_, entries) = planned(sql(query))
          assert(entries.nonEmpty, s"switched on again, the rules act: $query")
        }
      }
    }
  }

  test("bypassing nests, ends with its body, and is this thread's own") {
    val conf = spark.sessionState.conf
    SieveConf.bypassing {
      assert(!SieveConf.setopEnabled(conf))
      SieveConf.bypassing(assert(!SieveConf.setopEnabled(conf)))
      assert(!SieveConf.setopEnabled(conf))
      var elsewhere = false
      val thread = new Thread(() => elsewhere = SieveConf.setopEnabled(conf))
      thread.start()
      thread.join()
      assert(elsewhere)
    }
    intercept[IllegalStateException](SieveConf.bypassing[Unit](throw new IllegalStateException))
    assert(SieveConf.setopEnabled(conf))
  }

  test("with Spark's own rule switched off, Sieve's rewrite still works") {
    withTable("t") {
      sql("CREATE TABLE t USING parquet AS SELECT id AS a, id % 3 AS b FROM range(10)")
      withSQLConf("spark.sql.optimizer.replaceExceptWithFilter" -> "false") {
        assertOneScan("ReplaceExceptWithNotFilter")(
          sql("SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1"))
      }
    }
  }

  test("every config is documented, under the prefix, with a type, a default and a first version") {
    assert(SieveConf.all.map(_.key).distinct.length == SieveConf.all.length)
    for (k <- SieveConf.all) {
      assert(k.key.startsWith("spark.sieve."), k)
      assert(Set("boolean", "int", "long", "double", "bytes", "string")(k.kind), k)
      assert(Seq(k.default, k.allowed, k.doc, k.since).forall(_.nonEmpty), k)
      assert(k.doc.endsWith("."), k)
    }
  }

  test("configs.json holds every config, escaped as JSON demands") {
    implicit val formats: Formats = DefaultFormats
    val read = JsonMethods.parse(ConfigDocs.json).extract[Seq[Map[String, String]]]
    assert(
      read == SieveConf.all.map(k =>
        Map(
          "key" -> k.key,
          "type" -> k.kind,
          "default" -> k.default,
          "allowed" -> k.allowed,
          "doc" -> k.doc,
          "since" -> k.since)))
  }

  test("reasons.json holds every reason") {
    implicit val formats: Formats = DefaultFormats
    val read = JsonMethods.parse(ReasonDocs.json)
    val declined = (read \ "declined").extract[Seq[Map[String, String]]]
    assert(declined == Reason.all.map(r => Map("code" -> r.code, "meaning" -> r.meaning)))
    val notPushed = (read \ "not_pushed").extract[Seq[Map[String, String]]]
    assert(notPushed == NotPushedReason.all.map(r =>
      Map("code" -> r.code, "meaning" -> r.meaning) ++ r.remedy.map("remedy" -> _)))
  }

  test("the table has a row for every config") {
    val lines = ConfigDocs.table.linesIterator.toSeq
    assert(lines.head.count(_ == '|') == 6)
    assert(lines.drop(2).map(_.split('|')(1).trim) == SieveConf.all.map(k => s"`${k.key}`"))
    assert(lines.forall(_.count(_ == '|') == 6))
  }

  private def run(arguments: String*): (Int, String) = {
    val java = new File(System.getProperty("java.home"), "bin/java").getPath
    val command =
      Seq(
        java,
        "-cp",
        System.getProperty("java.class.path"),
        "io.sparksieve.GeneratedDocs") ++ arguments
    val process = new ProcessBuilder(command: _*).redirectErrorStream(true).start()
    val said = scala.io.Source.fromInputStream(process.getInputStream).mkString
    (process.waitFor(), said)
  }

  private def read(path: Path) = new String(Files.readAllBytes(path), "UTF-8")

  test("the generator writes its files, keeps the rest, and --check names what is stale") {
    withTempDir { dir =>
      val (page, json) = (dir.toPath.resolve("page.md"), dir.toPath.resolve("configs.json"))
      val reasons = dir.toPath.resolve("reasons.json")
      val paths = Seq(page, json, reasons).map(_.toString)
      Files.write(
        page,
        "before\n<!-- configs:begin -->\nold\n<!-- configs:end -->\nafter\n".getBytes("UTF-8"))
      GeneratedDocs.main(paths.toArray)
      assert(read(reasons) == ReasonDocs.json)
      assert(read(json) == ConfigDocs.json)
      assert(read(
        page) == s"before\n<!-- configs:begin -->\n${ConfigDocs.table}<!-- configs:end -->\nafter\n")
      assert(run(paths :+ "--check": _*)._1 == 0)
      Files.write(json, "[]".getBytes("UTF-8"))
      val (code, said) = run(paths :+ "--check": _*)
      assert(code == 1 && said.contains("configs.json") && !said.contains("page.md"), said)
      assert(read(json) == "[]")
      Files.write(page, "no table".getBytes("UTF-8"))
      assert(run(paths: _*)._2.contains("the page has no"))
      assert(run("one")._2.contains("usage:"))
    }
  }
}
