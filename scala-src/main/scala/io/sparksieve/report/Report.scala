package io.sparksieve.report

import scala.collection.mutable.ArrayBuffer

/**
 * What the rules say of the places they met. Rules call [[applied]] and [[declined]] always; the
 * arguments are by name and are evaluated only while somebody [[collecting collects]] on this
 * thread, so a report nobody asks for costs a thread-local read per place.
 */
object Report {

  /**
   * One verdict on one place, or what came of it.
   *
   * @param rule
   *   the rule, or the operator that measured
   * @param place
   *   the operator and what it reads, in words
   * @param detail
   *   what was done or measured, or what stands in the way
   */
  final case class Entry(
      room: String,
      rule: String,
      verdict: Outcome,
      place: String,
      detail: String) {

    /** The verdict's name, as `sieve_report` shows it. */
    def outcome: String = verdict.name

    /** Why the place was left as it was; None unless it was. */
    def reason: Option[Reason] = verdict match {
      case Outcome.Declined(reason) => Some(reason)
      case _ => None
    }
  }

  private val current = new ThreadLocal[ArrayBuffer[Entry]]

  /** Runs `body` and returns its value with every verdict given on this thread meanwhile. */
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

  def applied(room: String, rule: String, place: => String, detail: => String): Unit = {
    val listener = appliedListener
    if (listener != null) listener(room, rule)
    add(Entry(room, rule, Outcome.Applied, place, detail))
  }

  @volatile private var appliedListener: (String, String) => Unit = _

  /**
   * Calls `listener` with feature and rule whenever a rule was applied, on any thread of this JVM;
   * for test runs that must show that Sieve did something.
   */
  private[sparksieve] def onApplied(listener: (String, String) => Unit): Unit =
    appliedListener = listener

  def declined(
      room: String,
      rule: String,
      reason: Reason,
      place: => String,
      detail: => String): Unit =
    add(Entry(room, rule, Outcome.Declined(reason), place, detail))

  /** What an operator did, for [[Measured.measurements]]. */
  def measured(room: String, operator: String, place: String, detail: String): Entry =
    Entry(room, operator, Outcome.Measured, place, detail)

  private def add(entry: => Entry): Unit = {
    val entries = current.get
    if (entries != null) entries += entry
  }
}
