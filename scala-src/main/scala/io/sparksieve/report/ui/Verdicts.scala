// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import io.sparksieve.report.core.{Measurements, Outcome, PlanningLog, Reason, Report}

/** Verdicts as a user wants to read them. */
private[ui] object Verdicts {

  /** The verdicts on a query, from its planning and on the operators of its plan. */
  def of(planned: Option[PlanningLog], measured: Measurements): Seq[Report.Entry] =
    settled(planned.toSeq.flatMap(_.entries) ++ measured.verdicts)

  /** Leaves out the rules that declined a place that another rule of the same feature acted on. */
  private def settled(entries: Seq[Report.Entry]): Seq[Report.Entry] = {
    val acted = entries.collect { case e if e.verdict == Outcome.Applied => (e.feature, e.place) }
    entries.filter(e => e.reason.isEmpty || !acted.contains((e.feature, e.place))).distinct
  }

  /** The meaning of a reason's code; empty if the event log of another version has another code. */
  def meaning(reason: String): String = Reason.all.find(_.code == reason).fold("")(_.meaning)
}
