package io.sparksieve.report

import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.execution.{ReusedSubqueryExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec

/** A physical operator that can tell, after its query has run, what it did. */
trait Measured { self: SparkPlan =>

  /**
   * One entry a figure worth telling, made with [[Report.measured]] from the operator's metrics;
   * none if the operator did not run. Asked on the listener's thread, once a run, when the query has
   * ended.
   */
  def measurements: Seq[Report.Entry]

  /** The orders of predicates that it went through; asked as [[measurements]]. */
  def moments: Seq[Moment] = Nil
}

object Measured extends AdaptiveSparkPlanHelper {

  /**
   * What the operators of an executed plan measured: those of the final plan of adaptive execution,
   * of subqueries and of what is reused, each once however often it is referred to.
   */
  def in(plan: SparkPlan): Runs.Run = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    val entries = ArrayBuffer.empty[Report.Entry]
    val moments = ArrayBuffer.empty[Moment]

    def visit(node: SparkPlan): Unit = if (seen.add(node)) {
      node match {
        case measured: Measured =>
          entries ++= measured.measurements
          moments ++= measured.moments
        case scan =>
          MeasuredSource.of(scan).foreach { source =>
            entries ++= source.measurements(scan.metrics.map { case (k, m) => k -> m.value })
          }
      }
      node.subqueries.foreach(visit)
      below(node).foreach(visit)
    }

    visit(plan)
    Runs.Run(entries.toVector, moments.toVector)
  }

  private def below(node: SparkPlan): Seq[SparkPlan] = node match {
    case reused: ReusedExchangeExec => Seq(reused.child)
    case reused: ReusedSubqueryExec => Seq(reused.child)
    case other => allChildren(other)
  }
}
