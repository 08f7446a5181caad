// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

/**
 * Summarizes suites, such as the whole of TPC-DS: at least `Suite` queries whose names share a
 * folder, all measured off, on and off again.
 */
object Summary {

  /** The least number of queries that make a folder a suite. */
  private val Suite = 20

  /** The lines of the summary, one per group of figures. */
  def apply(results: Seq[CaseResult]): Seq[String] =
    suites(results).flatMap { case (folder, queries) =>
      lines(queries).map(line => s"$folder: $line")
    }

  /** The names of the results that [[apply]] summarizes; their noise is not listed one by one. */
  def covered(results: Seq[CaseResult]): Set[String] =
    suites(results).flatMap(_._2.map(_.name)).toSet

  private def suites(results: Seq[CaseResult]): Seq[(String, Seq[CaseResult])] =
    results
      .filter(_.ratio(Variant.Off, Variant.OffAgain).isDefined)
      .groupBy(r => r.name.take(r.name.lastIndexOf('/').max(0)))
      .toSeq
      .filter(_._2.length >= Suite)
      .sortBy(_._1)

  private def lines(queries: Seq[CaseResult]): Seq[String] = {
    val ratios = queries.flatMap(_.ratio(Variant.Off, Variant.On))
    val control = queries.flatMap(_.ratio(Variant.Off, Variant.OffAgain))
    val (applied, left) = queries.partition(_.applied.contains(true))
    val slower = queries.filter(slowerThroughout)
    Seq(
      s"${queries.length} queries, the rule applied to ${applied.length}, " +
        s"${queries.count(_.rows.contains(0L))} without rows",
      s"off/on: ${spread(ratios)}; where applied: ${spread(of(applied, Variant.On))}; " +
        s"where not: ${spread(of(left, Variant.On))}",
      s"off/off again: ${spread(control)}",
      s"at least 1.25x: ${counts(ratios, control, _ >= 1.25)}; " +
        s"at least 1.67x: ${counts(ratios, control, _ >= 1.67)}; " +
        s"under 0.98x: ${counts(ratios, control, _ < 0.98)}",
      s"slower on in every round than off in any: ${named(slower)}",
      s"sums of medians: ${sum(queries, Variant.Off)} off, ${sum(queries, Variant.On)} on, " +
        s"${sum(queries, Variant.OffAgain)} off again",
      s"read: ${read(queries, Variant.Off)} off, ${read(queries, Variant.On)} on"
    )
  }

  private def of(queries: Seq[CaseResult], name: String): Seq[Double] =
    queries.flatMap(_.ratio(Variant.Off, name))

  private def counts(ratios: Seq[Double], control: Seq[Double], wanted: Double => Boolean) =
    s"${ratios.count(wanted)} (off again: ${control.count(wanted)})"

  /**
   * Whether the query is over 2 % slower by its medians (off/on under 0.98), and every run with
   * Sieve on is slower than every run of off and its control.
   */
  private def slowerThroughout(r: CaseResult): Boolean = {
    val baseline = Seq(Variant.Off, Variant.OffAgain).flatMap(r.variant).map(_.timing.max)
    r.ratio(Variant.Off, Variant.On).exists(_ < 0.98) &&
    r.variant(Variant.On).exists(_.timing.min > baseline.max)
  }

  private def named(queries: Seq[CaseResult]): String =
    if (queries.isEmpty) "none"
    else
      queries
        .flatMap(r => r.ratio(Variant.Off, Variant.On).map(x => s"${r.name} ${Figures.ratio(x)}"))
        .mkString(", ")

  private def spread(ratios: Seq[Double]): String =
    if (ratios.isEmpty) "none"
    else {
      val mean = math.exp(ratios.map(x => math.log(x)).sum / ratios.length)
      s"${Figures.ratio(mean)} in the geometric mean " +
        s"(${Figures.ratio(ratios.min)} to ${Figures.ratio(ratios.max)})"
    }

  private def sum(queries: Seq[CaseResult], name: String): String =
    Figures.seconds(queries.flatMap(_.median(name)).sum)

  private def read(queries: Seq[CaseResult], name: String): String = {
    val shapes = queries.flatMap(_.variant(name)).flatMap(_.shape)
    val joins = shapes.flatMap(_.joinRows)
    s"${Figures.count(shapes.map(_.scannedRows).sum)} rows, " +
      s"${Figures.bytes(shapes.map(_.activity.readBytes).sum)}, " +
      s"${Figures.count(joins.map(_.larger).sum)} rows into joins and " +
      s"${Figures.count(joins.map(_.out).sum)} out"
  }
}
