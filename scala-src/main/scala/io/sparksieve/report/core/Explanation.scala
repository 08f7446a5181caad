// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/**
 * The handling of a predicate by one layer.
 *
 * @param how
 *   what the layer does, in words
 */
private[sparksieve] final case class Step(layer: Layer, how: String)

/**
 * The obstacle that keeps a predicate from being pushed down.
 *
 * @param detail
 *   the concrete cause, such as a setting or a type; may be empty
 */
private[sparksieve] final case class NotPushed(obstacle: NotPushedReason, detail: String = "")

/**
 * One predicate of a scan.
 *
 * @param sql
 *   the predicate, without column qualifiers
 * @param steps
 *   the handling of the predicate, from the source up to Spark; never empty
 * @param blame
 *   the reason why no layer below Spark handles the predicate; None if one does
 */
private[sparksieve] final case class ExplainedPredicate(
    sql: String,
    steps: Seq[Step],
    blame: Option[NotPushed]) {

  /** The layers' names, such as `pushed, spark`. */
  def layers: String = steps.map(_.layer.name).distinct.mkString(", ")

  /** The code of the obstacle; None if there is none. */
  def reason: Option[String] = blame.map(_.obstacle.code)

  def remedy: Option[String] = blame.flatMap(_.obstacle.remedy)

  /** The steps, or the obstacle, in words. */
  def detail: String = blame match {
    case Some(NotPushed(obstacle, "")) => obstacle.meaning
    case Some(NotPushed(obstacle, detail)) => s"${obstacle.meaning.stripSuffix(".")}: $detail."
    case None => steps.map(_.how).mkString("", "; ", ".")
  }
}

/** The number of rows that a scan produced in a run, and the number that passed its predicates. */
private[sparksieve] final case class ScanRows(read: Long, kept: Long)

/**
 * One scan of a query.
 *
 * @param source
 *   the format, or another kind of source
 * @param place
 *   the table, file or view that is read
 * @param predicates
 *   never empty
 * @param rows
 *   the row counts of the query's last run; None if no run is known
 */
private[sparksieve] final case class ExplainedScan(
    source: String,
    place: String,
    predicates: Seq[ExplainedPredicate],
    rows: Option[ScanRows])
