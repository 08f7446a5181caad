// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{RowDataSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec

import io.sparksieve.SieveTest
import io.sparksieve.keyset.KeyRange

/** Tables of the source, and access to the scan and the counters of a query over them. */
trait RangeSourceTest extends SieveTest with AdaptiveSparkPlanHelper {

  /** A table of 50 rows in 9 partitions, as in the document, unless `options` say otherwise. */
  protected def table(options: (String, Any)*): DataFrame = tableOf("rangedb", options: _*)

  protected def tableV1(options: (String, Any)*): DataFrame = tableOf("rangedb-v1", options: _*)

  private def tableOf(format: String, options: (String, Any)*): DataFrame =
    (Map[String, Any]("rows" -> 50, "partitions" -> 9) ++ options)
      .foldLeft(spark.read.format(format)) { case (reader, (name, value)) =>
        reader.option(name, s"$value")
      }
      .load()

  /** Whether Spark keeps an operator of class `T`. */
  protected def has[T <: LogicalPlan](df: DataFrame)(implicit tag: reflect.ClassTag[T]): Boolean =
    df.queryExecution.optimizedPlan.exists(tag.runtimeClass.isInstance(_))

  /** A query that was run, with its rows and its only scan of the source. */
  protected final class Ran(val df: DataFrame, val rows: Seq[Row]) {

    def plan: SparkPlan = df.queryExecution.executedPlan

    lazy val scan: SparkPlan = collectWithSubqueries(plan) {
      case b: BatchScanExec if b.scan.isInstanceOf[RangeDbScan] => b
      case r: RowDataSourceScanExec if r.relation.isInstanceOf[RangeDbRelation] => r
    } match {
      case Seq(one) => one
      case other => fail(s"${other.size} scans\n$plan")
    }

    def source: RangeDbScan = scan match {
      case b: BatchScanExec => b.scan.asInstanceOf[RangeDbScan]
      case other => fail(s"not of the second interface: $other")
    }

    /** The columns that the source returned. */
    def columns: Seq[String] = scan.output.map(_.name)

    def counters: Counters = {
      val values = scan match {
        case b: BatchScanExec => b.metrics.map { case (k, m) => k -> m.value }
        case r: RowDataSourceScanExec =>
          counted(r.rdd).counters.map { case (k, a) => k -> a.value.longValue }
        case other => fail(s"no scan of the source: $other")
      }
      Counters(
        values(RangeDbMetrics.RangesRequested),
        values(RangeDbMetrics.RecordsGenerated),
        values(RangeDbMetrics.RecordsEvaluated),
        values(RangeDbMetrics.RecordsReturned)
      )
    }

    private def counted(rdd: RDD[_]): RangeDbRdd = rdd match {
      case r: RangeDbRdd => r
      case other => counted(other.dependencies.head.rdd)
    }
  }

  protected case class Counters(ranges: Long, generated: Long, evaluated: Long, returned: Long)

  protected def run(query: => DataFrame): Ran = {
    val df = query
    val rows = notFailingToCompile(df.collect().toSeq)
    new Ran(df, rows)
  }

  protected def ranges(pairs: (Int, Int)*): RangeSet =
    RangeSet(pairs.map { case (low, high) => KeyRange(low.toLong, high.toLong) }.toVector)

  /** The rows (key, square, cube) of `keys`. */
  protected def records(keys: Iterable[Int]): Seq[Row] =
    keys.toSeq.map(k => Row(k, k.toLong * k, k.toLong * k * k))
}
