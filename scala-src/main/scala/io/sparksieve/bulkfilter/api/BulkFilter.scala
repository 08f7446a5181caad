// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.api

import scala.language.implicitConversions

import org.apache.spark.sql.Column

/**
 * Filters combined by one operator.
 *
 * A filter with one instance is equivalent to that instance. A filter without instances is an
 * error, because readers would disagree about its result.
 *
 * @param operator
 *   `AND` or `OR`
 * @param instances
 *   leaves or nested filters, at least one
 */
final case class BulkFilter private (
    operator: String,
    instances: List[Either[ProjectionBulkFilter, BulkFilter]])
    extends BulkFilterNode {

  require(operator == FilterKeywords.operator(operator), s"'$operator' is not an operator")
  require(instances.nonEmpty, "instances must not be empty: a filter of nothing has no meaning")

  override def points: Double = BulkFilter.reduce(this)

  def withPoints: BulkFilterWithPoints =
    BulkFilterWithPoints(
      operator,
      instances.map {
        case Left(leaf) => Left(leaf.withPoints)
        case Right(filter) => Right(filter.withPoints)
      },
      points)

  /** This filter with the instances of every level sorted by points, cheapest first (stable). */
  def sorted: BulkFilter = withPoints.sorted.withoutPoints

  /** The tree in the order as written: Sieve chooses the order of evaluation later. */
  override def toColumn: Column =
    BulkFilter.balanced(instances.map(_.fold(_.toColumn, _.toColumn))) {
      if (operator == FilterKeywords.And) _ && _ else _ || _
    }

  /** Keeps exactly the rows that this filter drops: `AND` becomes `OR` of negated instances. */
  def unary_! : BulkFilter = BulkFilter(
    if (operator == FilterKeywords.And) FilterKeywords.Or else FilterKeywords.And,
    instances.map {
      case Left(leaf) => Left(!leaf)
      case Right(filter) => Right(!filter)
    })

  override private[bulkfilter] def either: Either[ProjectionBulkFilter, BulkFilter] = Right(this)

  /** For example `((A and B) and C) or D`. */
  override def toString: String = BulkFilter.text(
    operator,
    instances.map {
      case Left(leaf) => (leaf.toString, false)
      case Right(filter) => (filter.toString, filter.instances.length > 1)
    })
}

object BulkFilter {

  /**
   * Combines filters by `operator`: `AND` or `OR`, case-insensitive.
   *
   * @throws java.lang.IllegalArgumentException
   *   if the operator is unknown or there are no instances
   */
  def apply(
      operator: String,
      instances: List[Either[ProjectionBulkFilter, BulkFilter]]): BulkFilter =
    new BulkFilter(FilterKeywords.operator(operator), instances)

  /** The points of `filter`: the product of its instances' points (AND), ten times the sum (OR). */
  def reduce(filter: BulkFilter): Double = {
    val costs = filter.instances.map(_.fold(_.points, reduce))
    if (filter.operator == FilterKeywords.And) costs.product else costs.sum * OrFactor
  }

  private val OrFactor = 10

  /**
   * Reads a filter from JSON; a single leaf becomes a filter with one instance.
   *
   * @throws java.lang.IllegalArgumentException
   *   if `json` is not a valid filter; the message names the place and what is allowed there
   */
  def fromJson(json: String): BulkFilter =
    BulkFilterJson
      .read(json)
      .fold(leaf => BulkFilter(FilterKeywords.And, List(Left(leaf))), identity)

  /** Lets a list of instances be written without `Right`. */
  implicit def asInstance(filter: BulkFilter): Either[ProjectionBulkFilter, BulkFilter] =
    Right(filter)

  private[bulkfilter] def chain(
      operator: String,
      left: Either[ProjectionBulkFilter, BulkFilter],
      right: Either[ProjectionBulkFilter, BulkFilter]): BulkFilter = left match {
    case Right(BulkFilter(`operator`, instances)) => BulkFilter(operator, instances :+ right)
    case _ => BulkFilter(operator, List(left, right))
  }

  private[bulkfilter] def text(operator: String, instances: List[(String, Boolean)]): String =
    instances
      .map { case (text, inParentheses) => if (inParentheses) s"($text)" else text }
      .mkString(s" ${operator.toLowerCase(java.util.Locale.ROOT)} ")

  /** Builds a tree of logarithmic depth, because Spark walks expressions recursively. */
  private def balanced(parts: List[Column])(join: (Column, Column) => Column): Column =
    parts match {
      case List(one) => one
      case _ =>
        val (left, right) = parts.splitAt((parts.length + 1) / 2)
        join(balanced(left)(join), balanced(right)(join))
    }
}

/**
 * Filters combined by one operator, with their points.
 *
 * @param points
 *   for AND the product of the instances' points, for OR ten times their sum
 */
final case class BulkFilterWithPoints(
    operator: String,
    instances: List[Either[ProjectionBulkFilterWithPoints, BulkFilterWithPoints]],
    points: Double) {

  /** Sorts the instances of every level by points, cheapest first. The sort is stable. */
  def sorted: BulkFilterWithPoints =
    copy(instances = instances.map(_.map(_.sorted)).sortBy(_.fold(_.points, _.points)))

  /** The filter without its points. */
  def withoutPoints: BulkFilter = BulkFilter(
    operator,
    instances.map {
      case Left(leaf) => Left(leaf.filter)
      case Right(filter) => Right(filter.withoutPoints)
    })

  override def toString: String = withoutPoints.toString
}
