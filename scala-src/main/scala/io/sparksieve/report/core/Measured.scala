// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.execution.{ReusedSubqueryExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec

/** A physical operator that reports its measurements after its query has run. */
private[sparksieve] trait Measured { self: SparkPlan =>

  /**
   * One entry per figure worth reporting, built with [[Report.measured]] from the operator's
   * metrics; no entry if the operator did not run. Called once per run, on the listener's thread,
   * after the query has ended.
   */
  def measurements: Seq[Report.Entry]

  /** What the operator saved in the run; called like [[measurements]]. */
  def gains: Gains = Gains.none

  /** The predicate orders that the operator used during the run; called like [[measurements]]. */
  def moments: Seq[OrderSnapshot] = Nil
}

/**
 * What the operators of an executed plan report.
 *
 * @param verdicts
 *   the verdicts of rules over physical plans on the operators
 * @param caches
 *   the plans whose rows the plan reads from a cache; what they report is not included
 */
private[sparksieve] final case class Measurements(
    verdicts: Seq[Report.Entry],
    entries: Seq[Report.Entry],
    moments: Seq[OrderSnapshot],
    gains: Gains,
    caches: Seq[SparkPlan]) {

  /** With what operators of a plan reported that was cached; its filters may be over the same. */
  def withCached(other: Measurements): Measurements = {
    val cached = moments.map(_.place).distinct.map(place => place -> s"$place (cached)").toMap
    def named(m: OrderSnapshot) = cached.get(m.place).fold(m)(place => m.copy(place = place))
    Measurements(
      (verdicts ++ other.verdicts).distinct,
      entries ++ other.entries,
      moments ++ other.moments.map(named),
      gains + other.gains,
      caches ++ other.caches)
  }
}

private[sparksieve] object Measured extends AdaptiveSparkPlanHelper {

  /**
   * Collects what the operators of an executed plan report, including the final plan of adaptive
   * execution, subqueries, and reused exchanges and subqueries. Each operator is counted once,
   * however often the plan refers to it.
   */
  def in(plan: SparkPlan): Measurements = {
    val verdicts = ArrayBuffer.empty[Report.Entry]
    val entries = ArrayBuffer.empty[Report.Entry]
    val moments = ArrayBuffer.empty[OrderSnapshot]
    val caches = ArrayBuffer.empty[SparkPlan]
    var gains = Gains.none
    val filters = mutable.Map.empty[String, Int].withDefaultValue(0)

    // Two filters over one source have the same description.
    def numbered(mine: Seq[OrderSnapshot]) = mine.headOption.toSeq.flatMap { first =>
      filters(first.place) += 1
      val n = filters(first.place)
      val place = s"${first.place} ($n)"
      if (n == 1) mine else mine.map(_.copy(place = place))
    }

    walk(plan) { node =>
      verdicts ++= PlanningLog.on(node)
      node match {
        case measured: Measured =>
          entries ++= measured.measurements
          moments ++= numbered(measured.moments)
          gains += measured.gains
        case cached: InMemoryTableScanExec => caches += cached.relation.cachedPlan
        case scan =>
          MeasuredSource.of(scan).foreach { source =>
            entries ++= source.measurements(scan.metrics.map { case (k, m) => k -> m.value })
          }
      }
    }
    Measurements(
      verdicts.toVector.distinct,
      entries.toVector,
      moments.toVector,
      gains,
      caches.toVector)
  }

  /** The verdicts on the plans whose rows a plan reads from a cache, also through other caches. */
  def verdictsOnCaches(plan: SparkPlan): Seq[Report.Entry] = {
    val verdicts = ArrayBuffer.empty[Report.Entry]
    walk(plan) {
      case cached: InMemoryTableScanExec =>
        val cache = cached.relation.cachedPlan
        verdicts ++= PlanningLog.of(cache).toSeq.flatMap(_.entries)
        walk(cache)(verdicts ++= PlanningLog.on(_))
        verdicts ++= verdictsOnCaches(cache)
      case _ =>
    }
    verdicts.toVector.distinct
  }

  /** Visits each operator once, however often the plan refers to it. */
  private def walk(plan: SparkPlan)(visit: SparkPlan => Unit): Unit = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    def from(node: SparkPlan): Unit = if (seen.add(node)) {
      visit(node)
      node.subqueries.foreach(from)
      below(node).foreach(from)
    }
    from(plan)
  }

  private def below(node: SparkPlan): Seq[SparkPlan] = node match {
    case reused: ReusedExchangeExec => Seq(reused.child)
    case reused: ReusedSubqueryExec => Seq(reused.child)
    case other => allChildren(other)
  }
}
