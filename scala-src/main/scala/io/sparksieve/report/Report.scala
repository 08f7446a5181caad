package io.sparksieve.report

import scala.collection.mutable.ArrayBuffer

/**
 * What the rules say of the places they met. Rules call [[applied]] and [[declined]] always; the
 * arguments are by name and are evaluated only while somebody [[collecting collects]] on this
 * thread, so a report nobody asks for costs a thread-local read per place.
 */
object Report {

  /**
   * One verdict on one place.
   *
   * @param reason
   *   None when the rule was applied
   * @param place
   *   the operator and what it reads, in words
   * @param detail
   *   what was done, or what stands in the way
   */
  final case class Entry(
      room: String,
      rule: String,
      reason: Option[Reason],
      place: String,
      detail: String) {
    def outcome: String = if (reason.isEmpty) "applied" else "declined"
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

  def applied(room: String, rule: String, place: => String, detail: => String): Unit =
    add(Entry(room, rule, None, place, detail))

  def declined(
      room: String,
      rule: String,
      reason: Reason,
      place: => String,
      detail: => String): Unit =
    add(Entry(room, rule, Some(reason), place, detail))

  private def add(entry: => Entry): Unit = {
    val entries = current.get
    if (entries != null) entries += entry
  }
}
