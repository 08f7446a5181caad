// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import io.sparksieve.report.core.Report

/**
 * The result of a case.
 *
 * @param kind
 *   whether queries were run or only planned
 * @param conf
 *   confs of this case
 * @param rows
 *   number of result rows, if the query was run
 * @param failures
 *   why the figures are invalid: different rows, a plan that did not change, an exception
 * @param applied
 *   whether the rule of the case was applied; None if the case has no rule
 * @param verdicts
 *   the report entries of Sieve's rules, with Sieve on
 */
final case class CaseResult(
    kind: CaseResult.Kind,
    name: String,
    about: String,
    target: Option[Double],
    conf: Map[String, String],
    sql: String,
    variants: Seq[CaseResult.OfVariant],
    rows: Option[Long],
    failures: Seq[String],
    applied: Option[Boolean] = None,
    verdicts: Seq[Report.Entry] = Nil) {

  def variant(name: String): Option[CaseResult.OfVariant] = variants.find(_.name == name)

  /** Median of the variant called `name`, in milliseconds. */
  def median(name: String): Option[Double] = variant(name).map(_.timing.median)

  /** The median of `slow` divided by the median of `fast`. */
  def ratio(slow: String, fast: String): Option[Double] =
    for (s <- median(slow); f <- median(fast)) yield s / f

  /** By how many milliseconds the median of `slow` exceeds the median of `fast`. */
  def growth(slow: String, fast: String): Option[Double] =
    for (s <- median(slow); f <- median(fast)) yield s - f

  /** Whether the target was reached; None if there is no target. */
  def reached: Option[Boolean] = target.flatMap { wished =>
    kind match {
      case CaseResult.Query => ratio(Variant.Off, Variant.On).map(_ >= wished)
      case CaseResult.Planning => growth(Variant.On, PlanningCase.Without).map(_ < wished)
    }
  }
}

object CaseResult {

  sealed abstract class Kind(val name: String) extends Product with Serializable
  case object Query extends Kind("query")
  case object Planning extends Kind("planning")

  /**
   * @param shape
   *   figures of the physical plan, if the query was run
   * @param optimized
   *   the optimized plan
   * @param target
   *   the target: its time divided by the time with Sieve on is at least this ratio
   */
  final case class OfVariant(
      name: String,
      timing: Timing,
      shape: Option[PlanShape],
      optimized: String,
      target: Option[Double] = None)

  /** The result of a case that threw. */
  def failed(c: Case, e: Throwable): CaseResult =
    CaseResult(Query, c.name, c.about, c.target, Map.empty, "", Nil, None, Seq(s"failed: $e"))
}
