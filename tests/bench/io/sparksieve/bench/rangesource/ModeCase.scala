// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.rangesource

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec

import io.sparksieve.bench.{Activity, Bench, Case, CaseResult, PlanShape, PlanText, Rounds}
import io.sparksieve.rangesource.RangeDbMetrics
import io.sparksieve.report.core.{Features, Measured, Report}

/**
 * One query over tables of the source that differ in the filters that are pushed. Measures the
 * time, and adds the source's metrics to those of the plan.
 *
 * @param sql
 *   the query over the view `r`
 * @param ways
 *   names, including `Variant.Off` and `Variant.On`, each with the DataFrame that the view `r`
 *   reads
 */
private[rangesource] final case class ModeCase(
    name: String,
    about: String,
    sql: String,
    ways: Seq[(String, Bench => DataFrame)])
    extends Case
    with AdaptiveSparkPlanHelper {

  override def target: Option[Double] = None

  override def measure(bench: Bench, control: Boolean): CaseResult = {
    val tables = ways.toMap
    def query(way: String): DataFrame = {
      tables(way)(bench).createOrReplaceTempView("r")
      bench.extended.sql(sql)
    }
    // This run collects rows and metrics, and warms up the JVM.
    val seen = ways.map { case (way, _) =>
      val df = query(way)
      val (rows, activity) = Activity.during(bench.extended.sparkContext)(df.collect().toSeq)
      val executed = df.queryExecution.executedPlan
      val shape = PlanShape(executed, activity)
      (
        way,
        rows.map(_.toString).sorted,
        shape.copy(
          sieve = shape.sieve ++ metrics(executed),
          text = s"${counted(executed)}\n${shape.text}"),
        df.queryExecution.optimizedPlan)
    }
    val timings = Rounds(ways.map(_._1), bench.options.runs) { way =>
      System.gc()
      val df = query(way)
      Rounds.milliseconds(df.write.format("noop").mode("overwrite").save())
    }
    val expected = seen.head._2
    CaseResult(
      CaseResult.Query,
      name,
      s"$about; ${seen.map { case (way, _, s, _) => s"$way: ${s.text.takeWhile(_ != '\n')}" }.mkString("; ")}",
      None,
      Map.empty,
      sql,
      seen.map { case (way, _, shape, plan) =>
        CaseResult.OfVariant(
          way,
          timings(way),
          Some(shape),
          PlanText.withoutPlaces(PlanText.renumbered(plan.toString)))
      },
      Some(expected.size.toLong),
      seen.collect {
        case (way, rows, _, _) if rows != expected =>
          s"other rows: '$way' gave $rows, not $expected"
      }
    )
  }

  /** The metrics of DSv2 scans; DSv1 scans have none of their own. */
  private def metrics(plan: SparkPlan): Seq[(String, Long)] =
    collectWithSubqueries(plan) { case scan: BatchScanExec => scan }
      .flatMap(scan => RangeDbMetrics.Names.map(name => name -> scan.metrics(name).value))

  /** The measurements of DSv1 and DSv2 scans, as text. */
  private def counted(plan: SparkPlan): String = {
    val entries: Seq[Report.Entry] = Measured.in(plan).entries
    val mine = entries.filter(_.feature == Features.RangeSource).map(_.detail)
    if (mine.isEmpty) "no range requested" else mine.mkString(", ")
  }
}
