// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import org.apache.spark.sql.execution.SparkPlan

import io.sparksieve.report.core.{Measured, PlanningLog, Report}

/** The section that `EXPLAIN` shows: verdicts, and after a run what operators measured. */
private[ui] object PlanText {

  /** The lines about a physical plan; one line that says so if there is nothing to say. */
  def apply(plan: SparkPlan): String =
    try text(plan)
    catch {
      // Spark would let it fail the query.
      case e: StackOverflowError => s"Sieve could not write its verdicts: $e"
    }

  private def text(plan: SparkPlan): String = {
    val measured = Measured.in(plan)
    val lines = Verdicts.of(PlanningLog.of(plan), measured).map(verdict) ++
      measured.entries.map(measurement)
    if (lines.isEmpty) Nothing else lines.distinct.mkString("\n")
  }

  private final val Nothing = "No rule of Sieve applies to this plan."

  private def verdict(e: Report.Entry) = {
    val reason = e.reason.fold("")(r => s" (${r.code})")
    s"${e.feature}: ${e.outcome} ${e.rule}$reason: ${e.place}: ${e.detail}"
  }

  private def measurement(e: Report.Entry) =
    s"${e.feature}: ${e.outcome} by ${e.rule}: ${e.place}: ${e.detail}"
}
