// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

/**
 * A table of results.
 *
 * @param cells
 *   rows of cells; the first row is the header
 */
final case class Tabulation(title: String, cells: Seq[Seq[String]])

object Tabulation {

  /** The tables of queries, of their reads and of plannings; tables without rows are left out. */
  def of(results: Seq[CaseResult]): Seq[Tabulation] = {
    val queries = results.filter(_.kind == CaseResult.Query)
    val plannings = results.filter(_.kind == CaseResult.Planning)
    Seq(
      Tabulation(
        "Queries: medians, with the fastest and the slowest run",
        Seq("case", "off", "on", "off/on", "target", "others", "rows") +: queries.map(query)),
      Tabulation(
        "What queries read, off and on",
        Seq(
          "case",
          "jobs",
          "files",
          "rows",
          "bytes",
          "rows into and out of joins",
          "counted by Sieve") +:
          queries.flatMap(read)),
      Tabulation(
        "Analysis and optimization: medians",
        Seq("case", "without", "off", "on", "on - without", "target", "rules alone") +:
          plannings.map(planning))
    )
      .filter(_.cells.length > 1)
  }

  private def query(r: CaseResult): Seq[String] = {
    val others = r.variants
      .filterNot(v => Set(Variant.Off, Variant.On, Variant.OffAgain)(v.name))
      .map(other(r, _))
    Seq(
      r.name,
      spread(r, Variant.Off),
      spread(r, Variant.On),
      r.ratio(Variant.Off, Variant.On).map(Figures.ratio).getOrElse("-"),
      target(r, Figures.ratio, "at least"),
      if (others.isEmpty) "" else others.mkString(", "),
      r.rows.map(Figures.count).getOrElse("-")
    )
  }

  private def other(r: CaseResult, v: CaseResult.OfVariant): String = {
    val wished = for (w <- v.target; ratio <- r.ratio(v.name, Variant.On)) yield {
      val outcome = if (ratio >= w) "reached" else "missed"
      s", ${Figures.ratio(ratio)} of on (at least ${Figures.ratio(w)}, $outcome)"
    }
    s"${v.name}: ${Figures.seconds(v.timing.median)}${wished.getOrElse("")}"
  }

  private def read(r: CaseResult): Option[Seq[String]] =
    for {
      off <- r.variant(Variant.Off).flatMap(_.shape)
      on <- r.variant(Variant.On).flatMap(_.shape)
    } yield {
      def both(figure: PlanShape => String) =
        if (figure(off) == figure(on)) figure(off) else s"${figure(off)} to ${figure(on)}"
      Seq(
        r.name,
        both(_.activity.jobs.toString),
        both(s => Figures.count(s.scannedFiles)),
        both(s => Figures.count(s.scannedRows)),
        both(s => Figures.bytes(s.activity.readBytes)),
        both(joined),
        on.counted
      )
    }

  /** Of each join the larger input, and the result; summed over the joins. */
  private def joined(s: PlanShape): String =
    if (s.joinRows.isEmpty) "-"
    else
      s"${Figures.count(s.joinRows.map(_.larger).sum)} / ${Figures.count(s.joinRows.map(_.out).sum)}"

  private def planning(r: CaseResult): Seq[String] = {
    def median(name: String) = r.median(name).map(Figures.milliseconds).getOrElse("-")
    Seq(
      r.name,
      median(PlanningCase.Without),
      median(Variant.Off),
      median(Variant.On),
      r.growth(Variant.On, PlanningCase.Without).map(Figures.milliseconds).getOrElse("-"),
      target(r, Figures.milliseconds, "under"),
      median(PlanningCase.Rules)
    )
  }

  private def spread(r: CaseResult, name: String): String = r.variant(name).fold("-") { v =>
    import Figures.seconds
    s"${seconds(v.timing.median)} (${seconds(v.timing.min)} to ${seconds(v.timing.max)})"
  }

  private def target(r: CaseResult, figure: Double => String, words: String): String =
    r.target.fold("") { wished =>
      val outcome = r.reached.fold("")(if (_) ", reached" else ", missed")
      s"$words ${figure(wished)}$outcome"
    }
}
