// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import java.io.File
import java.nio.file.Files

import org.apache.commons.io.FileUtils

import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper

import io.sparksieve.SieveTest
import io.sparksieve.bulkfilter.load.LoadKeysExec
import io.sparksieve.compat.SparkCompat
import io.sparksieve.report.core.{Features, Reason, Report}

/**
 * Creates a table of cars and files of values, and compares rows with those of Spark's own IN.
 *
 *   - `cars`: 2,000 rows in 4 Parquet files; `id`, `colour` and `brand` (NULL for every 13th and
 *     17th), `code` (an INT from 0 to 499, NULL for every 7th)
 */
trait BulkFilterTest extends SieveTest with AdaptiveSparkPlanHelper {

  protected var dir: File = _

  override def beforeAll(): Unit = {
    super.beforeAll()
    dir = Files.createTempDirectory("bulkfilter").toFile
    spark
      .range(0, 2000, 1, 4)
      .selectExpr(
        "id",
        "if(id % 13 = 0, NULL, concat('colour ', id % 9)) AS colour",
        "if(id % 17 = 0, NULL, concat('brand ', id % 11)) AS brand",
        "if(id % 7 = 0, NULL, cast(id % 500 AS INT)) AS code"
      )
      .write
      .saveAsTable("cars")
  }

  override def afterAll(): Unit =
    try {
      sql("DROP TABLE IF EXISTS cars")
      FileUtils.deleteQuietly(dir)
    } finally super.afterAll()

  /** Writes a text file, and returns its path. */
  protected def file(name: String, lines: String*): String = {
    val path = new File(dir, name).toPath
    Files.write(path, lines.mkString("", "\n", "\n").getBytes("UTF-8"))
    path.toString
  }

  /** Writes rows in a format that Spark knows, and returns the path of the folder. */
  protected def folder(name: String, format: String, rows: DataFrame): String = {
    val path = new File(dir, name).getPath
    rows.write.mode("overwrite").format(format).save(path)
    path
  }

  /** Runs a query, and asserts that its generated code compiled. */
  protected def ran(query: => DataFrame): (Seq[Row], SparkPlan) = notFailingToCompile {
    val df = query
    (df.collect().toSeq, df.queryExecution.executedPlan)
  }

  /**
   * Asserts that two queries return the same rows, with the feature on and off, and with generated
   * code and interpreted evaluation.
   */
  protected def assertSame(query: String, expected: String): Unit = {
    planOfSame(query, expected)
    ()
  }

  /** Asserts the same, and returns the plan that ran with the feature and generated code. */
  protected def planOfSame(query: String, expected: String): SparkPlan = {
    val rows = withCodegen(false)(sql(expected).collect().toSeq)
    val plans = for {
      enabled <- Seq("true", "false")
      codegen <- Seq(true, false)
    } yield withConf("spark.sieve.bulkFilter.enabled" -> enabled) {
      withCodegen(codegen) {
        val (found, plan) = ran(sql(query))
        QueryTest.sameRows(rows, found).foreach(d => fail(s"$query\n$enabled\n$d"))
        plan
      }
    }
    plans.head
  }

  /** Runs `body` with generated code, or with interpreted evaluation. */
  protected def withCodegen[T](codegen: Boolean)(body: => T): T = withConf(
    "spark.sql.codegen.wholeStage" -> codegen.toString,
    "spark.sql.codegen.factoryMode" -> (if (codegen) "FALLBACK" else "NO_CODEGEN"))(body)

  /** What the feature's rules report when the query is planned. */
  protected def verdicts(query: => DataFrame): Seq[Report.Entry] = {
    val execution = SparkCompat.plan(spark, query.queryExecution.analyzed)
    Report.collecting(execution.executedPlan)._2.filter(_.feature == Features.BulkFilter)
  }

  protected def loads(plan: SparkPlan): Seq[LoadKeysExec] =
    collectWithSubqueries(plan) { case p =>
      p.subqueries.collect { case l: LoadKeysExec => l }
    }.flatten.distinct
}

object BulkFilterTest {

  /** The reasons that queries of the feature's suites provoke. */
  val provoked: Set[Reason] = Set(Reason.OverMemoryCap, Reason.OrderOfPoints)
}
