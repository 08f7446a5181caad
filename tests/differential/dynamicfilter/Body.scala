// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import io.sparksieve.differential.expression.Item
import io.sparksieve.differential.table.{Column, Kind}

/**
 * One join of a FROM clause.
 *
 * @param kind
 *   the join's keywords, such as LEFT JOIN
 * @param residual
 *   further conjuncts of the ON clause, over columns of both sides
 */
final case class Join(kind: String, input: Input, keys: Seq[JoinKey], residual: Seq[String]) {

  /** Whether the query sees the columns of the input. */
  def shows: Boolean = !Join.hides(kind)

  def sql(opaque: Boolean): String = {
    val equalities = keys.map(k => if (opaque) k.opaque else k.sql)
    val on = equalities ++ residual ++ input.conditionsAt(Place.On)
    s"$kind ${input.sql} ON ${on.mkString(" AND ")}"
  }

  def simpler: Seq[Join] =
    (if (kind == "JOIN") Nil else Seq(copy(kind = "JOIN"))) ++
      keys.indices.filter(_ => keys.length > 1).map(i => copy(keys = keys.patch(i, Nil, 1))) ++
      residual.indices.map(i => copy(residual = residual.patch(i, Nil, 1))) ++
      keys.indices
        .filter(keys(_).nullSafe)
        .map(i => copy(keys = keys.updated(i, keys(i).copy(nullSafe = false)))) ++
      input.simpler.map(i => copy(input = i))
}

object Join {
  def hides(kind: String): Boolean = kind == "LEFT SEMI JOIN" || kind == "LEFT ANTI JOIN"
}

/**
 * The comparison of a value with a correlated aggregate.
 *
 * @param outer
 *   the value and the operator, such as `s0.a <`
 */
final case class Scalar(outer: String, aggregate: String)

/**
 * A subquery in WHERE: a comparison if `scalar` is set, IN if `in` is set, otherwise EXISTS.
 *
 * @param hint
 *   the hint of the subquery, or an empty string
 */
final case class Member(
    in: Boolean,
    negated: Boolean,
    input: Input,
    keys: Seq[JoinKey],
    residual: Seq[String],
    hint: String,
    scalar: Option[Scalar] = None) {

  def sql(opaque: Boolean): String = scalar match {
    case Some(Scalar(outer, aggregate)) =>
      // Spark allows no other conditions between the two queries than equalities of columns.
      val where = Input.where(input.conditionsAt(Place.Where) ++ keys.map(_.sql))
      s"$outer (SELECT $hint$aggregate FROM ${input.sql}$where)"
    case None => membership(opaque)
  }

  private def membership(opaque: Boolean): String = {
    val not = if (negated) "NOT " else ""
    val own = input.conditionsAt(Place.Where) ++ residual
    if (opaque) {
      // If a comparison of keys is NULL, NOT IN is NULL too.
      val unknown = if (in && negated) "TRUE" else "FALSE"
      // A list has one value here: IN compares a number and a string in another way than `=`.
      val same = keys.map(k => if (in) s"${k.left} IN (${k.right})" else k.sql)
      val equal = s"coalesce(${same.mkString(" AND ")}, $unknown)"
      s"${not}EXISTS (SELECT 1 FROM ${input.sql}${Input.where(own :+ equal)})"
    } else if (in) {
      val (outer, inner) = (keys.map(_.left), keys.map(_.right).mkString(", "))
      val row = if (outer.length == 1) outer.head else outer.mkString("(", ", ", ")")
      s"$row ${not}IN (SELECT $hint$inner FROM ${input.sql}${Input.where(own)})"
    } else {
      val all = own ++ keys.map(_.sql)
      s"${not}EXISTS (SELECT ${hint}1 FROM ${input.sql}${Input.where(all)})"
    }
  }

  def simpler: Seq[Member] =
    (if (hint.isEmpty) Nil else Seq(copy(hint = ""))) ++
      (if (negated) Seq(copy(negated = false)) else Nil) ++
      keys.indices.filter(_ => keys.length > 1).map(i => copy(keys = keys.patch(i, Nil, 1))) ++
      residual.indices.map(i => copy(residual = residual.patch(i, Nil, 1))) ++
      input.simpler.map(i => copy(input = i))
}

/** The form of a SELECT over the joined rows. */
sealed trait Form

object Form {
  case object Plain extends Form

  case object Distinct extends Form

  /** GROUP BY the items. */
  final case class Grouped(aggregates: Vector[Item]) extends Form

  /** The items, and window aggregates. */
  final case class Windowed(windows: Vector[Item]) extends Form

  /** The first `n` rows in the order of all items. */
  final case class Limited(n: Int) extends Form
}

/** A SELECT over joined inputs. */
final case class Body(
    first: Input,
    joins: Vector[Join],
    members: Vector[Member],
    items: Vector[Item],
    form: Form,
    hints: Vector[String],
    numbered: Option[Numbered] = None) {

  def inputs: Seq[Input] = (first +: joins.map(_.input)) ++ members.map(_.input)

  /** @param opaque write join conditions so that Spark finds no equi-join keys, and omit hints */
  def sql(opaque: Boolean = false): String = {
    val hint = if (hints.isEmpty || opaque) "" else hints.mkString("/*+ ", ", ", " */ ")
    val from = (first.sql +: joins.map(_.sql(opaque))).mkString(" ") + numbered.fold("")(_.sql)
    val own = (first +: joins.map(_.input)).flatMap(_.conditionsAt(Place.Where))
    val where = Input.where(own ++ members.map(_.sql(opaque)))
    val distinct = if (form == Form.Distinct) "DISTINCT " else ""
    val list = shown.map(_.sql) ++ numbered.map(_ => Numbered.Column)
    s"SELECT $hint$distinct${list.mkString(", ")} FROM $from$where$tail"
  }

  private def shown: Vector[Item] = form match {
    case Form.Grouped(aggregates) => items ++ aggregates
    case Form.Windowed(windows) => items ++ windows
    case _ => items
  }

  private def tail: String = form match {
    case Form.Grouped(_) if items.nonEmpty => s" GROUP BY ${items.map(_.expression).mkString(", ")}"
    case Form.Limited(n) => s" ORDER BY ${items.map(_.as).mkString(", ")} LIMIT $n"
    case _ => ""
  }

  private def merges: Boolean = form match {
    case Form.Distinct | Form.Grouped(_) => true
    case _ => false
  }

  def columns: Seq[Column] =
    shown.map(i => Column(i.as, i.kind, i.merged || (merges && i.kind.merges)))

  def mergesStrings: Boolean = inputs.exists(_.mergesStrings) ||
    (merges && items.exists(_.kind.isInstanceOf[Kind.Collated]))

  def simpler: Seq[Body] = {
    val fewerJoins = joins.indices.reverse.map { i =>
      val alias = joins(i).input.alias + "."
      val kept = items.filterNot(_.expression.contains(alias))
      copy(
        joins = joins.patch(i, Nil, 1),
        items = kept,
        hints = hints.filterNot(_.contains(s"(${joins(i).input.alias})")))
    }
    val smaller = numbered.map(_ => copy(numbered = None)).toSeq ++ fewerJoins ++
      members.indices.map(i => copy(members = members.patch(i, Nil, 1))) ++
      (if (form == Form.Plain) Nil else Seq(copy(form = Form.Plain))) ++
      hints.indices.map(i => copy(hints = hints.patch(i, Nil, 1))) ++
      joins.indices.flatMap(i => joins(i).simpler.map(j => copy(joins = joins.updated(i, j)))) ++
      members.indices.flatMap(i =>
        members(i).simpler.map(m => copy(members = members.updated(i, m)))) ++
      first.simpler.map(f => copy(first = f)) ++
      items.indices.map(i => copy(items = items.patch(i, Nil, 1)))
    smaller.filter(_.shown.nonEmpty)
  }
}
