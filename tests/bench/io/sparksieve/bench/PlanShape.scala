package io.sparksieve.bench

import org.apache.spark.sql.execution.{DataSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, AdaptiveSparkPlanHelper}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeLike, ShuffleExchangeLike}
import org.apache.spark.sql.execution.joins.BaseJoinExec

/**
 * What a plan was made of once it had run.
 *
 * @param scans
 *   how often files were read
 * @param scannedRows
 *   rows that came out of the scans
 * @param joins
 *   names of the join operators
 * @param aggregates
 *   number of aggregation operators, partial ones included
 * @param shuffledBytes
 *   bytes of rows that went through shuffles
 * @param broadcastBytes
 *   bytes that were broadcast
 * @param text
 *   the plan itself
 */
final case class PlanShape(
    scans: Int,
    scannedRows: Long,
    joins: Seq[String],
    aggregates: Int,
    shuffledBytes: Long,
    broadcastBytes: Long,
    text: String) {

  /** In a few words. */
  def summary: String = {
    val joined = if (joins.isEmpty) "no join" else joins.mkString(" + ")
    s"$scans scans of ${Figures.count(scannedRows)} rows, $joined, $aggregates aggregations, " +
      s"${Figures.bytes(shuffledBytes)} shuffled, ${Figures.bytes(broadcastBytes)} broadcast"
  }
}

object PlanShape extends AdaptiveSparkPlanHelper {

  /** The shape of a plan that has run. */
  def apply(executed: SparkPlan): PlanShape = {
    val plan = executed match {
      case adaptive: AdaptiveSparkPlanExec => adaptive.executedPlan
      case other => other
    }
    val scans = collect(plan) { case s: DataSourceScanExec => s }
    PlanShape(
      scans = scans.length,
      scannedRows = scans.map(metric(_, "numOutputRows")).sum,
      joins = collect(plan) { case j: BaseJoinExec => j.nodeName + " " + j.joinType.sql },
      aggregates = collect(plan) { case a: BaseAggregateExec => a }.length,
      shuffledBytes = collect(plan) { case e: ShuffleExchangeLike => metric(e, "dataSize") }.sum,
      broadcastBytes = collect(plan) { case e: BroadcastExchangeLike => metric(e, "dataSize") }.sum,
      text = PlanText.withoutPlaces(plan.toString)
    )
  }

  private def metric(plan: SparkPlan, name: String): Long =
    plan.metrics.get(name).map(_.value).getOrElse(0L).max(0L)
}
