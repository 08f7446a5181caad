// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import io.sparksieve.bench.{Bench, Case, CaseResult, Rounds, Table, Variant}

/** The time of advice about a table with many files, which should be 5 s at most on two cores. */
private[sparksieve] final case class ManyFilesCase(name: String, about: String, table: Table)
    extends Case {

  override def target: Option[Double] = None

  override def measure(bench: Bench, control: Boolean): CaseResult = {
    val session = bench.extended
    bench.prepare(session, Seq(table))
    val path = session.table(table.view).inputFiles.head.replaceAll("/[^/]*$", "")
    val rows = session.read.parquet(path)
    val queries = Seq("u < 5000", "v = 77", "c = 5 AND u > 900000").map(rows.where(_))
    val limits = TableAdviser.Limits(2000, 4000000, 32)
    val timing = Rounds(Seq(Variant.On), bench.options.runs) { _ =>
      Rounds.milliseconds { LayoutCase.advise(session, queries, limits); () }
    }(Variant.On)
    val advice = LayoutCase.advise(session, queries, limits)
    val size = advice.size.get
    CaseResult(
      CaseResult.Query,
      name,
      s"$about: ${size.files} files, ${size.rowGroups} row groups, sample ${advice.sampleRows} rows, " +
        s"${advice.layouts.size} layouts; ${advice.reason}",
      None,
      Map.empty,
      "",
      Seq(CaseResult.OfVariant(Variant.On, timing, None, "")),
      Some(size.rows),
      Nil
    )
  }
}
