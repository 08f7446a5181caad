// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import scala.collection.mutable

/** Counts the outcomes of a run of the tester, so that a run that tested nothing is noticed. */
final class Tally(rules: Seq[String]) {

  private val counts = mutable.LinkedHashMap.empty[String, Int].withDefaultValue(0)
  private val applied = mutable.Map.empty[String, Int].withDefaultValue(0)
  private val declined = mutable.Map.empty[(String, String), Int].withDefaultValue(0)

  private def count(what: String): Unit = counts(what) += 1

  def queries: Int = counts("queries")

  def invalid(): Unit = {
    count("queries")
    count("not analysed (the generator's fault)")
  }

  def add(off: Run, on: Run, finding: Finding): Unit = {
    count("queries")
    val changes = on.verdicts.filter(_.reason.isEmpty)
    changes.map(_.rule).distinct.foreach(applied(_) += 1)
    on.verdicts.foreach(e => e.reason.foreach(r => declined((e.rule, r.code)) += 1))
    if (changes.nonEmpty) count("with a rule applied")
    if (changes.nonEmpty && Judge.changed(off, on)) count("with another optimized plan")
    if (on.verdicts.isEmpty) count("with no place for any rule")
    (off.rows, on.rows) match {
      case (Right(a), Right(b)) if a.rows.isEmpty && b.rows.isEmpty => count("vacuous (no rows)")
      case _ =>
    }
    if (off.uncompiled.nonEmpty) count("with code that does not compile without Sieve either")
    finding match {
      case Finding.SparkWrong(known, _) => count(s"Spark wrong (${known.id}), Sieve right")
      case Finding.BothWrong(known, _) =>
        count(s"the same rows, Spark's own are wrong (${known.fold("not known why")(_.id)})")
      case Finding.ErrorGone => count("an error without Sieve, none with it")
      case Finding.BothFail => count("failed both ways (ANSI)")
      case Finding.Wrong(what, _) => count(s"FAILED: $what")
      case Finding.Same =>
    }
  }

  /** The reasons why the whole run proves nothing. */
  def worthless: Seq[String] = {
    val never = rules.filter(applied(_) == 0)
    Seq(
      (applied.isEmpty && queries > 0) -> "no rule changed any plan",
      (queries >= 300 && never.nonEmpty) -> s"never applied: ${never.mkString(", ")}",
      // By chance, it may be so of a few queries.
      (queries >= 100 && counts("vacuous (no rows)") * 2 > queries) ->
        "more than half of the answers were empty",
      (counts("not analysed (the generator's fault)") * 20 > queries) ->
        "more than one query in twenty was not even analysed"
    ).collect { case (true, why) => why }
  }

  def show: String = {
    def lines[K](title: String, of: Seq[(K, Int)])(name: K => String) =
      if (of.isEmpty) ""
      else of.map { case (k, n) => f"  $n%7d  ${name(k)}" }.mkString(s"$title\n", "\n", "\n")
    lines("queries", counts.toSeq)(identity[String]) +
      lines("applied in so many queries", rules.map(r => r -> applied(r)))(identity[String]) +
      lines("declined so many times", declined.toSeq.sortBy { case (k, n) => (k._1, -n) }) {
        case (rule, reason) => s"$rule: $reason"
      }
  }
}
