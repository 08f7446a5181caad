// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import java.io.File

import org.apache.spark.sql.{DataFrame, SaveMode}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveTest
import io.sparksieve.compat.SparkCompat
import io.sparksieve.report.core.{ExplainedScan, NotPushedReason}

/** Assertions about the explanations of a query's predicates. */
trait PushdownTest extends SieveTest {

  protected def explained(query: => DataFrame): Seq[ExplainedScan] = {
    val execution = SparkCompat.plan(spark, query.queryExecution.analyzed)
    new ExplainScans(spark)(execution, Nil)(execution.executedPlan)._2
  }

  /** One line per predicate: its SQL, its layers, and the reason if there is one. */
  protected def lines(query: => DataFrame): Seq[String] = for {
    scan <- explained(query)
    p <- scan.predicates
  } yield s"${p.sql}: ${p.layers}${p.reason.fold("")(" " + _)}"

  /** Asserts the explanations of the predicates of a query, in any order. */
  protected def assertSaid(query: => DataFrame)(expected: String*): Unit =
    assert(lines(query).sorted == expected.sorted, query.queryExecution.executedPlan)

  /**
   * Asserts that a predicate of a query is left to Spark for this reason, and that each predicate
   * with a reason is evaluated by Spark alone.
   */
  protected def assertLeft(obstacle: NotPushedReason, detail: String = "")(
      query: => DataFrame): Unit = {
    val found = for {
      scan <- explained(query)
      p <- scan.predicates
      blame <- p.blame
    } yield {
      assert(p.layers == "spark", p)
      blame
    }
    assert(
      found.exists(b => b.obstacle == obstacle && b.detail.contains(detail)),
      s"$found\n${query.queryExecution.executedPlan}")
  }

  /** 100 rows with a column of each kind. */
  protected def columns: DataFrame = spark
    .range(0, 100, 1, 1)
    .selectExpr(
      "CAST(id AS INT) AS a",
      "id AS b",
      "CAST(id AS STRING) AS s",
      "timestamp_seconds(id) AS ts",
      "CAST(timestamp_seconds(id) AS TIMESTAMP_NTZ) AS ntz",
      "date_add(DATE'2020-01-01', CAST(id AS INT)) AS d",
      "CAST(id AS DECIMAL(10, 2)) AS dec",
      "id % 2 = 0 AS flag",
      "id % 4 AS p"
    )

  /** [[columns]], and a struct, an array, a map and bytes, which CSV does not support. */
  protected def nested: DataFrame = columns.selectExpr(
    "*",
    "named_struct('x', a, 'y', s) AS st",
    "array(a) AS arr",
    "map(a, s) AS m",
    "CAST(s AS BINARY) AS bin")

  /** Writes `rows`, and runs `body` on a read of them through the first or the second API. */
  protected def withFiles(format: String, rows: DataFrame, api: Int = 1, by: Seq[String] = Nil)(
      body: DataFrame => Unit): Unit = withTempDir { dir =>
    val path = new File(dir, "data").getCanonicalPath
    rows.write.mode(SaveMode.Overwrite).partitionBy(by: _*).format(format).save(path)
    withSQLConf(SQLConf.USE_V1_SOURCE_LIST.key -> (if (api == 1) format else "")) {
      body(spark.read.schema(rows.schema).format(format).load(path))
    }
  }
}
