// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import io.sparksieve.differential.Dice
import io.sparksieve.differential.expression.Item
import io.sparksieve.differential.table.{Column, Kind}

/** Random forms of a query over its joined rows, and random frames around the query. */
final class RandomForms(dice: Dice, conditions: Conditions) {
  import Kind._

  /** The body with a SELECT list and a form. */
  def finished(body: Body, hints: Vector[String]): Body = {
    val shown = body.first +: body.joins.filter(_.shows).map(_.input)
    val columns = shown.flatMap(_.qualified)
    val many = body.joins.count(_.shows) >= 2
    val form = dice.weighted(
      (if (many) 10 else 50) -> "plain",
      35 -> "grouped",
      8 -> "distinct",
      (if (many) 0 else 6) -> "windowed",
      6 -> "limited")
    val made = form match {
      case "plain" => body.copy(items = items(columns, dice.between(1, 4)))
      case "distinct" =>
        body.copy(items = items(columns, dice.between(1, 3)), form = Form.Distinct)
      case "windowed" =>
        val by = dice.some(columns, dice.between(1, 2)).map(_.name).mkString(", ")
        val over = s"OVER (PARTITION BY $by)"
        val windows = Item(s"count(*) $over", "w", Int64, merged = false) +:
          sums(columns).take(1).map(s => s.copy(expression = s"${s.expression} $over"))
        body.copy(items = items(columns, dice.between(1, 3)), form = Form.Windowed(windows))
      case "limited" =>
        val exact = columns.filterNot(_.kind.merges)
        if (exact.isEmpty) counted(body)
        else {
          val n = dice.oneOf(Seq(1, 5, 20))
          body.copy(items = items(exact, dice.between(1, 3)), form = Form.Limited(n))
        }
      case _ if dice.chance(25) => counted(body)
      case _ =>
        val aggregates = Item("count(*)", "n", Int64, merged = false) +: dice.some(sums(columns), 2)
        val keys = items(columns, dice.between(1, 2))
        body.copy(items = keys, form = Form.Grouped(aggregates.toVector))
    }
    made.copy(hints = hints)
  }

  private def counted(body: Body): Body = {
    val count = Item("count(*)", "n", Int64, merged = false)
    body.copy(items = Vector.empty, form = Form.Grouped(Vector(count)))
  }

  private def items(columns: Seq[Column], n: Int): Vector[Item] =
    dice
      .some(columns, n)
      .zipWithIndex
      .map { case (c, i) =>
        Item(c.name, s"x$i", c.kind, c.merged)
      }
      .toVector

  /** Aggregates whose value does not depend on the order of the rows. */
  private def sums(columns: Seq[Column]): Vector[Item] =
    dice
      .some(columns.filter(c => c.kind == Int32 || c.kind == Day), 3)
      .zipWithIndex
      .flatMap { case (c, i) =>
        // At most one DISTINCT: Spark expands several in an order that depends on ids.
        val count = if (i == 0) s"count(DISTINCT ${c.name})" else s"count(${c.name})"
        val first = if (c.kind == Int32) s"sum(${c.name})" else count
        Seq(
          Item(first, s"a$i", Int64, merged = false),
          Item(s"min(${c.name})", s"b$i", c.kind, merged = false))
      }
      .toVector

  /** The body with another condition on one of its joined inputs. */
  def varied(body: Body): Body =
    if (body.joins.isEmpty) body
    else {
      val i = dice.below(body.joins.length)
      val join = body.joins(i)
      val names = if (join.input.place == Place.Inside) "" else s"${join.input.alias}."
      val columns =
        if (join.input.items.isEmpty || names.isEmpty) join.input.base.columns
        else join.input.columns
      val condition = conditions.over(columns.map(c => c.copy(name = names + c.name)), 0)
      val input = join.input.copy(conditions = Vector(condition))
      body.copy(joins = body.joins.updated(i, join.copy(input = input)))
    }

  /** A query that reads the body twice. */
  def reading(body: Body): Frame = {
    val name = JoinQuery.View
    val grouped = body.form match {
      case Form.Grouped(_) => body.items.nonEmpty
      case _ => false
    }
    val key = body.columns.head.name
    if (grouped && dice.chance(50)) {
      val where = if (dice.chance(60)) s" WHERE ${condition("r.", body)}" else ""
      Frame.With(
        s"SELECT l.*, r.n AS other FROM $name AS l JOIN $name AS r ON l.$key = r.$key$where")
    } else {
      val second = s"SELECT 2 AS i, * FROM $name WHERE ${condition("", body)}"
      Frame.With(s"SELECT 1 AS i, * FROM $name UNION ALL $second")
    }
  }

  private def condition(prefix: String, body: Body): String =
    conditions.over(body.columns.map(c => c.copy(name = prefix + c.name)), 0)
}
