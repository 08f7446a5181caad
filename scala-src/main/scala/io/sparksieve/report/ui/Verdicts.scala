package io.sparksieve.report.ui

import io.sparksieve.report.core.{Outcome, Report}

/** Verdicts as a user wants to read them. */
private[ui] object Verdicts {

  /** Leaves out the rules that declined a place that another rule of the same feature acted on. */
  def settled(entries: Seq[Report.Entry]): Seq[Report.Entry] = {
    val acted = entries.collect { case e if e.verdict == Outcome.Applied => (e.feature, e.place) }
    entries.filter(e => e.reason.isEmpty || !acted.contains((e.feature, e.place))).distinct
  }
}
