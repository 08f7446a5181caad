// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.util.{Collections, IdentityHashMap}

import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, JoinType}
import org.apache.spark.sql.execution.{DataSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, AdaptiveSparkPlanHelper}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeLike, ShuffleExchangeLike}
import org.apache.spark.sql.execution.joins.BaseJoinExec

/**
 * Figures of a plan that has run, including its subqueries.
 *
 * @param scans
 *   number of scans of data sources
 * @param scannedRows
 *   output rows of the scans
 * @param scannedFiles
 *   files of the scans, by their metric `numFiles`
 * @param activity
 *   jobs started and bytes read
 * @param joins
 *   names of the join operators
 * @param joinRows
 *   the rows of each join whose inputs count their rows
 * @param aggregates
 *   number of aggregation operators, partial ones included
 * @param shuffledBytes
 *   bytes of the rows that were shuffled
 * @param broadcastBytes
 *   bytes that were broadcast
 * @param sieve
 *   sums of the metrics of Sieve's operators, by metric name; times are milliseconds
 * @param text
 *   the plan as text
 */
final case class PlanShape(
    scans: Int,
    scannedRows: Long,
    scannedFiles: Long,
    activity: Activity,
    joins: Seq[String],
    joinRows: Seq[JoinRows],
    aggregates: Int,
    shuffledBytes: Long,
    broadcastBytes: Long,
    sieve: Seq[(String, Long)],
    text: String) {

  /** A summary in one line. */
  def summary: String = {
    val joined = if (joins.isEmpty) "no join" else joins.mkString(" + ")
    s"${activity.jobs} jobs, $scans scans of ${Figures.count(scannedRows)} rows in " +
      s"${Figures.count(scannedFiles)} files, ${Figures.bytes(activity.readBytes)} read, " +
      s"$joined, $aggregates aggregations, ${Figures.bytes(shuffledBytes)} shuffled, " +
      s"${Figures.bytes(broadcastBytes)} broadcast" +
      (if (sieve.isEmpty) "" else s"; $counted")
  }

  /** The metrics of Sieve's operators, in one line. */
  def counted: String = sieve.map { case (k, v) => s"$k ${Figures.count(v)}" }.mkString(", ")
}

object PlanShape extends AdaptiveSparkPlanHelper {

  private val SievePackage = "io.sparksieve."

  /** The shape of a plan that has run. */
  def apply(executed: SparkPlan, activity: Activity): PlanShape = {
    val plan = executed match {
      case adaptive: AdaptiveSparkPlanExec => adaptive.executedPlan
      case other => other
    }
    val nodes = operators(plan)
    val scans = nodes.collect { case s: DataSourceScanExec => s }
    PlanShape(
      scans = scans.length,
      scannedRows = scans.map(metric(_, "numOutputRows")).sum,
      scannedFiles = scans.map(metric(_, "numFiles")).sum,
      activity = activity,
      joins = nodes.collect { case j: BaseJoinExec => j.nodeName + " " + name(j.joinType) },
      joinRows = nodes.collect { case j: BaseJoinExec => j }.flatMap(JoinRows.of),
      aggregates = nodes.collect { case a: BaseAggregateExec => a }.length,
      shuffledBytes = nodes.collect { case e: ShuffleExchangeLike => metric(e, "dataSize") }.sum,
      broadcastBytes = nodes.collect { case e: BroadcastExchangeLike =>
        metric(e, "dataSize")
      }.sum,
      sieve = counts(nodes.filter(_.getClass.getName.startsWith(SievePackage))),
      text = PlanText.withoutPlaces(plan.toString)
    )
  }

  private def name(joinType: JoinType) = joinType match {
    case _: ExistenceJoin => "EXISTENCE"
    case other => other.sql
  }

  /** All operators, each once: a subquery can be reached from every operator that uses it. */
  private def operators(plan: SparkPlan): Seq[SparkPlan] = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    collectWithSubqueries(plan) { case p if seen.add(p) => p }
  }

  private def counts(nodes: Seq[SparkPlan]): Seq[(String, Long)] =
    nodes
      .flatMap(n => n.metrics.keys.toSeq.map(name => name -> metric(n, name)))
      .groupBy(_._1)
      .map { case (name, values) => name -> values.map(_._2).sum }
      .toSeq
      .filter(_._2 > 0)
      .sorted

  private def metric(plan: SparkPlan, name: String): Long =
    plan.metrics.get(name).map(_.value).getOrElse(0L).max(0L)
}
