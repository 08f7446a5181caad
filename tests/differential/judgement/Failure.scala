// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import io.sparksieve.differential.Query
import io.sparksieve.differential.table.{Table, Tables}

/** One failure, with everything that a reader needs to understand and reproduce it. */
final case class Failure(
    number: Int,
    command: String,
    tables: Tables,
    query: Query,
    finding: Finding.Wrong,
    off: Run,
    on: Run) {

  /** The tables that the query reads. */
  def used: Seq[Table] = tables.readBy(query.before :+ query.text)

  def show: String = {
    val confs = query.settings.toSeq.sorted.map { case (k, v) => s"SET $k=$v;" }
    val statements =
      (used.flatMap(_.statements) ++ confs ++ query.before).map(_.stripSuffix(";") + ";")
    val verdicts = on.verdicts.map { v =>
      s"  ${v.rule} ${v.outcome}${v.reason.map(" " + _.code).getOrElse("")}: ${v.place}; ${v.detail}"
    }
    Seq(
      s"==== query $number failed: ${finding.what} ====",
      s"again: $command",
      statements.mkString("\n"),
      query.text + ";",
      finding.detail,
      verdicts.mkString("verdicts:\n", "\n", ""),
      s"optimized plan off:\n${off.plan.getOrElse("")}",
      s"optimized plan on:\n${on.plan.getOrElse("")}"
    ).mkString("\n")
  }
}
