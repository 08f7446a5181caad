package io.sparksieve.bench

import io.sparksieve.report.Report

/**
 * What a case gave.
 *
 * @param kind
 *   whether queries were run or only planned
 * @param conf
 *   what was set for this case
 * @param rows
 *   rows of the result, where the query was run
 * @param failures
 *   why the figures do not count: other rows, a plan that did not change, an exception
 * @param applied
 *   whether the rule of the case was applied; None where no rule was asked for
 * @param verdicts
 *   what Sieve's rules said with Sieve on
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

  /** Median of `slow` over that of `fast`. */
  def ratio(slow: String, fast: String): Option[Double] =
    for (s <- median(slow); f <- median(fast)) yield s / f

  /** Milliseconds by which the median of `slow` is above that of `fast`. */
  def growth(slow: String, fast: String): Option[Double] =
    for (s <- median(slow); f <- median(fast)) yield s - f

  /** Whether the target was reached; None without one. */
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
   *   what the physical plan was made of, where the query was run
   * @param optimized
   *   the optimized plan
   * @param target
   *   the ratio of its time to that with Sieve on that is wished for
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
