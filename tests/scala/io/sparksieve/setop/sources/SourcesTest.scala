// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File
import java.nio.file.Files

import org.apache.spark.SparkConf
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveTest

/** An operation between two reads, and the rule that rewrites it. */
final case class Operation(name: String, rule: String, of: (DataFrame, DataFrame) => DataFrame)

/** Shared by the suites about sources: every rewrite over one source, and access to the scans. */
trait SourcesTest extends SieveTest with AdaptiveSparkPlanHelper {

  /** Adds a copy of a Parquet file, without Spark's own writer, which would refresh the cache. */
  protected def copyFile(dir: File): Unit = {
    val written = dir.listFiles.filter(_.getName.endsWith(".parquet")).head
    Files.copy(written.toPath, new File(dir, "part-99999-copy.snappy.parquet").toPath)
    ()
  }

  // There are hundreds of tiny queries, and compilation would take most of the time. MatrixSuite
  // tests generated code.
  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key, "false")
      .set(SQLConf.CODEGEN_FACTORY_MODE.key, "NO_CODEGEN")
      .set(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key, "false")
      .set(SQLConf.SHUFFLE_PARTITIONS.key, "2")

  /**
   * Every rewrite to a filter. `l` and `r` are two reads of one source with a column `month` with
   * the values 1 to 12.
   */
  protected val operations: Seq[Operation] = Seq(
    Operation(
      "EXCEPT",
      "ReplaceExceptWithNotFilter",
      (l, r) => l.where("month < 6").except(r.where("month = 3"))),
    Operation(
      "EXCEPT ALL",
      "ReplaceExceptWithNotFilter",
      (l, r) => l.where("month < 6").exceptAll(r.where("month = 3"))),
    Operation(
      "INTERSECT",
      "ReplaceIntersectWithFilter",
      (l, r) => l.where("month < 6").intersect(r.where("month > 3"))),
    Operation(
      "INTERSECT ALL",
      "ReplaceIntersectWithFilter",
      (l, r) => l.where("month < 6").intersectAll(r.where("month > 3"))),
    Operation(
      "UNION",
      "ReplaceUnionWithFilter",
      (l, r) => l.where("month < 6").union(r.where("month > 3")).distinct()),
    Operation(
      "UNION ALL",
      "ReplaceUnionWithFilter",
      (l, r) => l.where("month < 6").union(r.where("month >= 6"))),
    Operation(
      "LEFT ANTI JOIN",
      "ReplaceAntiJoinWithNotFilter",
      (l, r) => l.where("month < 6").join(r.where("month = 3"), Seq("month"), "left_anti")),
    Operation(
      "LEFT SEMI JOIN",
      "ReplaceSemiJoinWithFilter",
      (l, r) => l.where("month < 6").join(r.where("month > 3"), Seq("month"), "left_semi"))
  )

  /** Asserts that every operation between two reads becomes one scan with the same rows. */
  protected def assertEveryRewrite(left: => DataFrame, right: => DataFrame): Unit =
    operations.foreach(o => withClue(o.name)(assertOneScan(o.rule)(o.of(left, right))))

  /** Runs the query, and returns the file scans of its executed plan. */
  protected def fileScans(df: DataFrame): Seq[FileSourceScanExec] = {
    df.collect()
    collect(df.queryExecution.executedPlan) { case scan: FileSourceScanExec => scan }
  }

  protected def filesRead(scans: Seq[FileSourceScanExec]): Long =
    scans.map(_.metrics("numFiles").value).sum

  /** 120 rows: each month ten times, `day` from 1 to 5, `delay` NULL in every seventh row. */
  protected def flights: DataFrame = spark
    .range(120)
    .selectExpr(
      "cast(id % 12 + 1 AS INT) AS month",
      "cast(id div 12 % 5 + 1 AS INT) AS day",
      "CASE WHEN id % 7 = 0 THEN NULL ELSE cast(id % 4 AS INT) END AS delay")

  protected def rows(values: Any*): Seq[Row] = values.map(Row(_))
}
