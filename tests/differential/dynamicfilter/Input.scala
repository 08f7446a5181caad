// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import io.sparksieve.differential.expression.Item
import io.sparksieve.differential.setop.Base
import io.sparksieve.differential.table.{Column, Kind}

/** The position of an input's conditions. */
sealed trait Place

object Place {

  /** In the input's own derived table. */
  case object Inside extends Place

  /** In the query's WHERE. */
  case object Where extends Place

  /** In the ON of the join that adds the input. */
  case object On extends Place
}

/**
 * One input of the joins of a query.
 *
 * @param conditions
 *   conditions on the base's columns: unqualified inside, qualified by the alias elsewhere
 * @param items
 *   the SELECT list of a derived table; all columns of the base if empty
 * @param plain
 *   a simpler base that may have the columns that the query uses
 */
final case class Input(
    alias: String,
    base: Base,
    conditions: Vector[String],
    place: Place,
    items: Vector[Item],
    plain: Option[Base]) {

  /** Columns as the join sees them, without the alias. */
  def columns: Seq[Column] =
    if (items.isEmpty) base.columns else items.map(i => Column(i.as, i.kind, i.merged))

  /** The columns qualified by the alias. */
  def qualified: Seq[Column] = columns.map(c => c.copy(name = s"$alias.${c.name}"))

  def conditionsAt(at: Place): Vector[String] = if (place == at) conditions else Vector.empty

  /** The text of the input after FROM or JOIN. */
  def sql: String = {
    val inside = conditionsAt(Place.Inside)
    if (inside.isEmpty && items.isEmpty) s"${base.from} AS $alias"
    else {
      val selected = if (items.isEmpty) "*" else items.map(_.sql).mkString(", ")
      s"(SELECT $selected FROM ${base.from}${Input.where(inside)}) AS $alias"
    }
  }

  /** Whether the input has strings of a collation of which one represents many. */
  def mergesStrings: Boolean =
    base.columns.exists(c => c.merged && c.kind.isInstanceOf[Kind.Collated])

  def simpler: Seq[Input] =
    plain.map(b => copy(base = b, plain = None)).toSeq ++
      (if (items.nonEmpty) Seq(copy(items = Vector.empty)) else Nil) ++
      conditions.indices.map(i => copy(conditions = conditions.patch(i, Nil, 1)))
}

object Input {

  def where(conditions: Seq[String]): String =
    if (conditions.isEmpty) "" else conditions.mkString(" WHERE ", " AND ", "")
}
