package io.sparksieve.bulkfilter

import scala.language.implicitConversions

import org.apache.spark.sql.Column

/**
 * Filters under one operator.
 *
 * A filter of one instance is that instance; with none there is no answer that all readers would
 * expect, so that is an error.
 *
 * @param operator
 *   `AND` or `OR`
 * @param instances
 *   leaves or filters again, at least one
 */
final case class BulkFilter private (
    operator: String,
    instances: List[Either[ProjectionBulkFilter, BulkFilter]])
    extends BulkFilterNode {

  require(operator == Words.operator(operator), s"'$operator' is not an operator")
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

  /**
   * The same filter with the cheapest first at every level; those that cost the same keep their
   * order.
   */
  def sorted: BulkFilter = withPoints.sorted.withoutPoints

  /** The tree as written: the execution has an order of its own. */
  override def toColumn: Column =
    BulkFilter.balanced(instances.map(_.fold(_.toColumn, _.toColumn))) {
      if (operator == Words.And) _ && _ else _ || _
    }

  /** Keeps just the rows that this one drops: `AND` of filters becomes `OR` of what they drop. */
  def unary_! : BulkFilter = BulkFilter(
    if (operator == Words.And) Words.Or else Words.And,
    instances.map {
      case Left(leaf) => Left(!leaf)
      case Right(filter) => Right(!filter)
    })

  override private[bulkfilter] def either: Either[ProjectionBulkFilter, BulkFilter] = Right(this)

  /** As `((A and B) and C) or D`. */
  override def toString: String = BulkFilter.text(
    operator,
    instances.map {
      case Left(leaf) => (leaf.toString, false)
      case Right(filter) => (filter.toString, filter.instances.length > 1)
    })
}

object BulkFilter {

  /**
   * Filters under `operator`, which is `AND` or `OR` in any case.
   *
   * @throws IllegalArgumentException
   *   if the operator is not known or there are no instances
   */
  def apply(
      operator: String,
      instances: List[Either[ProjectionBulkFilter, BulkFilter]]): BulkFilter =
    new BulkFilter(Words.operator(operator), instances)

  /** What `filter` costs: the product of its instances' points below AND, ten times the sum below OR. */
  def reduce(filter: BulkFilter): Double = {
    val costs = filter.instances.map(_.fold(_.points, reduce))
    if (filter.operator == Words.And) costs.product else costs.sum * OrFactor
  }

  private val OrFactor = 10

  /**
   * The filter that `json` says; a leaf alone becomes a filter of one.
   *
   * @throws IllegalArgumentException
   *   if it says none; the message names the place and what is allowed there
   */
  def fromJson(json: String): BulkFilter =
    BulkFilterJson.read(json).fold(leaf => BulkFilter(Words.And, List(Left(leaf))), identity)

  /** So that a list of instances can be written without `Right`. */
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

  /** A tree as deep as the logarithm of its leaves: Spark walks expressions recursively. */
  private def balanced(parts: List[Column])(join: (Column, Column) => Column): Column =
    parts match {
      case List(one) => one
      case _ =>
        val (left, right) = parts.splitAt((parts.length + 1) / 2)
        join(balanced(left)(join), balanced(right)(join))
    }
}

/**
 * Filters under one operator, with what they cost.
 *
 * @param points
 *   the product of those of the instances below AND, ten times their sum below OR
 */
final case class BulkFilterWithPoints(
    operator: String,
    instances: List[Either[ProjectionBulkFilterWithPoints, BulkFilterWithPoints]],
    points: Double) {

  /** The cheapest first, from the bottom up; those that cost the same keep their order. */
  def sorted: BulkFilterWithPoints =
    copy(instances = instances.map(_.map(_.sorted)).sortBy(_.fold(_.points, _.points)))

  /** The filter alone. */
  def withoutPoints: BulkFilter = BulkFilter(
    operator,
    instances.map {
      case Left(leaf) => Left(leaf.filter)
      case Right(filter) => Right(filter.withoutPoints)
    })

  override def toString: String = withoutPoints.toString
}
