package io.sparksieve.report.core

import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.execution.{ReusedSubqueryExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
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
 */
private[sparksieve] final case class Measurements(
    verdicts: Seq[Report.Entry],
    entries: Seq[Report.Entry],
    moments: Seq[OrderSnapshot],
    gains: Gains)

private[sparksieve] object Measured extends AdaptiveSparkPlanHelper {

  /**
   * Collects what the operators of an executed plan report, including the final plan of adaptive
   * execution, subqueries, and reused exchanges and subqueries. Each operator is counted once,
   * however often the plan refers to it.
   */
  def in(plan: SparkPlan): Measurements = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    val verdicts = ArrayBuffer.empty[Report.Entry]
    val entries = ArrayBuffer.empty[Report.Entry]
    val moments = ArrayBuffer.empty[OrderSnapshot]
    var gains = Gains.none
    val filters = mutable.Map.empty[String, Int].withDefaultValue(0)

    // Two filters over one source have the same description.
    def numbered(mine: Seq[OrderSnapshot]) = mine.headOption.toSeq.flatMap { first =>
      filters(first.place) += 1
      val n = filters(first.place)
      if (n == 1) mine else mine.map(m => m.copy(place = s"${m.place} ($n)"))
    }

    def visit(node: SparkPlan): Unit = if (seen.add(node)) {
      verdicts ++= PlanningLog.on(node)
      node match {
        case measured: Measured =>
          entries ++= measured.measurements
          moments ++= numbered(measured.moments)
          gains += measured.gains
        case scan =>
          MeasuredSource.of(scan).foreach { source =>
            entries ++= source.measurements(scan.metrics.map { case (k, m) => k -> m.value })
          }
      }
      node.subqueries.foreach(visit)
      below(node).foreach(visit)
    }

    visit(plan)
    Measurements(verdicts.toVector.distinct, entries.toVector, moments.toVector, gains)
  }

  private def below(node: SparkPlan): Seq[SparkPlan] = node match {
    case reused: ReusedExchangeExec => Seq(reused.child)
    case reused: ReusedSubqueryExec => Seq(reused.child)
    case other => allChildren(other)
  }
}
