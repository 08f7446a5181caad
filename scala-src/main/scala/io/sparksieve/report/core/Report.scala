// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.execution.SparkPlan

/**
 * Collects the verdicts of rules on the places of a plan. Rules always call [[applied]] and
 * [[declined]]. Place and detail are by-name arguments, which are evaluated only while a caller
 * [[collecting collects]] on this thread, or when someone reads the query's [[PlanningLog]].
 */
private[sparksieve] object Report {

  /**
   * The verdict of a rule on one place, or the measurement of an operator.
   *
   * @param rule
   *   the rule, or the operator that reports the measurement
   * @param place
   *   the operator and what it reads, in words
   * @param detail
   *   the change, the measurement, or the obstacle
   */
  final case class Entry(
      feature: String,
      rule: String,
      verdict: Outcome,
      place: String,
      detail: String) {

    /** The verdict's name, as `sieve_report` shows it. */
    def outcome: String = verdict.name

    /** The reason why the rule declined the place; None for other outcomes. */
    def reason: Option[Reason] = verdict match {
      case Outcome.Declined(reason) => Some(reason)
      case _ => None
    }
  }

  private val current = new ThreadLocal[ArrayBuffer[Entry]]

  /** Runs `body` and returns its value with every verdict that this thread adds meanwhile. */
  def collecting[T](body: => T): (T, Seq[Entry]) = {
    val outer = current.get
    val entries = ArrayBuffer.empty[Entry]
    current.set(entries)
    try {
      val value = body
      (value, entries.toVector)
    } finally {
      if (outer == null) current.remove() else current.set(outer)
    }
  }

  /** Runs `body` and keeps its verdicts back; the returned function adds them. */
  def recording[T](body: => T): (T, () => Unit) = {
    val isCollecting = current.get != null
    val ((value, entries), log) =
      PlanningLog.recording(if (isCollecting) collecting(body) else (body, Nil))
    def replay(): Unit = {
      entries.foreach(collect(_))
      PlanningLog.replay(log)
    }
    (value, () => replay())
  }

  def applied(feature: String, rule: String, place: => String, detail: => String): Unit = {
    callListener(feature, rule)
    add(Entry(feature, rule, Outcome.Applied, place, detail))
  }

  /** As [[applied]], by a rule over physical plans: `node` is the operator that it made. */
  def appliedTo(node: SparkPlan, feature: String, rule: String)(
      place: => String,
      detail: => String): Unit = {
    callListener(feature, rule)
    addTo(node, Entry(feature, rule, Outcome.Applied, place, detail))
  }

  private def callListener(feature: String, rule: String): Unit = {
    val listener = appliedListener
    if (listener != null) listener(feature, rule)
  }

  @volatile private var appliedListener: (String, String) => Unit = _

  /**
   * Sets the listener that is called with feature and rule whenever a rule is applied, on any
   * thread of this JVM. Test runs use it to show that Sieve changed a plan.
   */
  private[sparksieve] def onApplied(listener: (String, String) => Unit): Unit =
    appliedListener = listener

  def declined(
      feature: String,
      rule: String,
      reason: Reason,
      place: => String,
      detail: => String): Unit =
    add(Entry(feature, rule, Outcome.Declined(reason), place, detail))

  /** As [[declined]], by a rule over physical plans: `node` is the operator that it left. */
  def declinedAt(node: SparkPlan, feature: String, rule: String, reason: Reason)(
      place: => String,
      detail: => String): Unit =
    addTo(node, Entry(feature, rule, Outcome.Declined(reason), place, detail))

  /** Builds the entry of one measurement of an operator, for [[Measured.measurements]]. */
  def measured(feature: String, operator: String, place: String, detail: String): Entry =
    Entry(feature, operator, Outcome.Measured, place, detail)

  private def add(entry: => Entry): Unit = {
    collect(entry)
    PlanningLog.add(entry)
  }

  private def addTo(node: SparkPlan, entry: => Entry): Unit = {
    collect(entry)
    PlanningLog.tag(node, entry)
  }

  private def collect(entry: => Entry): Unit = {
    val entries = current.get
    if (entries != null) entries += entry
  }
}
