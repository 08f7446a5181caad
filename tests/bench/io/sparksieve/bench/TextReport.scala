// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

/** The report as text tables for a terminal. */
object TextReport {

  /** One line for a case, printed as soon as the case is measured. */
  def line(result: CaseResult): String = {
    val timings = result.variants.map(v => s"${v.name} ${span(result, v.timing)}")
    val figure = result.kind match {
      case CaseResult.Query => result.ratio(Variant.Off, Variant.On).map(Figures.ratio)
      case CaseResult.Planning =>
        result.growth(Variant.On, PlanningCase.Without).map(g => "+" + Figures.milliseconds(g))
    }
    (figure.toSeq ++ timings ++ result.failures).mkString("    ", "; ", "")
  }

  def apply(settings: Settings, results: Seq[CaseResult]): String = {
    val tables = Tabulation.of(results).map { t =>
      val widths = t.cells.transpose.map(_.map(_.length).max)
      val lines = t.cells.map { row =>
        row.zip(widths).map { case (cell, width) => cell.padTo(width, ' ') }.mkString("  ")
      }
      (t.title +: lines).mkString("\n")
    }
    val summary = Summary(results)
    val noise = Noise(results).map("Noise: " + _)
    val failures = results.flatMap(r => r.failures.map(f => s"FAILED ${r.name}: $f"))
    val under = settings.entries.map { case (k, v) => s"$k $v" }.mkString(", ")
    ("" +: (tables ++ summary ++ noise ++ Seq(under) ++ failures)).mkString("\n\n")
  }

  private def span(result: CaseResult, t: Timing): String = {
    def figure(ms: Double) = result.kind match {
      case CaseResult.Query => Figures.seconds(ms)
      case CaseResult.Planning => Figures.milliseconds(ms)
    }
    s"${figure(t.median)} (${figure(t.min)} to ${figure(t.max)})"
  }
}

/** The figures of the control, off against off: the noise of the machine. */
object Noise {

  def apply(results: Seq[CaseResult]): Seq[String] = {
    val elsewhere = Summary.covered(results)
    results.filterNot(r => elsewhere(r.name)).flatMap(of)
  }

  private def of(r: CaseResult): Option[String] =
    r.kind match {
      case CaseResult.Query =>
        r.ratio(Variant.Off, Variant.OffAgain)
          .map(x => s"${r.name}, off against off: ${Figures.ratio(x)}")
      case CaseResult.Planning =>
        r.growth(Variant.OffAgain, Variant.Off)
          .map(x => s"${r.name}, off against off: ${Figures.milliseconds(x)}")
    }
}
