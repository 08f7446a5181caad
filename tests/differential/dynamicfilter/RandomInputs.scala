// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import io.sparksieve.TestedLine
import io.sparksieve.differential.Dice
import io.sparksieve.differential.expression.Projections
import io.sparksieve.differential.setop.Base
import io.sparksieve.differential.table.{Column, Kind, Table, Tables}

/** Random inputs of joins: tables, and queries in place of a table. */
final class RandomInputs(dice: Dice, tables: Tables, conditions: Conditions, pairs: KeyPairs) {
  import RandomInputs.Joined

  private val projections = new Projections(dice)

  /**
   * @param alias
   *   an alias that no other input of the query has
   * @param fact
   *   whether to prefer one of the tables with many rows
   * @param seen
   *   inputs of the query so far, which are sometimes read again
   * @param places
   *   possible positions of the conditions
   */
  def apply(alias: String, fact: Boolean, seen: Seq[Input], places: Seq[Place]): Input = {
    val again = if (seen.nonEmpty && dice.chance(10)) Some(dice.oneOf(seen)) else None
    val (base, plain) = again.map(i => (i.base, i.plain)).getOrElse(source(alias, fact))
    val place = dice.oneOf(places)
    val names = if (place == Place.Inside) "" else s"$alias."
    val columns = base.columns.map(c => c.copy(name = names + c.name))
    val items =
      if (dice.chance(20)) projections.over(base.columns)
      else Vector.empty
    // Outside a derived table, conditions can only use the columns that it selects.
    val terms =
      if (place == Place.Inside || items.isEmpty) columns
      else items.map(i => Column(s"$alias.${i.as}", i.kind, i.merged))
    Input(alias, base, filters(terms, fact), place, items, plain)
  }

  private def filters(columns: Seq[Column], fact: Boolean): Vector[String] = {
    val n =
      if (fact) dice.weighted(72 -> 0, 25 -> 1, 3 -> 2)
      else dice.weighted(10 -> 0, 80 -> 1, 10 -> 2)
    Vector.fill(n) {
      if (dice.chance(3)) dice.oneOf(Seq("FALSE", "1 = 2"))
      else if (dice.chance(6)) conditions.never(dice.oneOf(columns))
      else if (dice.chance(65)) conditions.selective(dice.oneOf(columns))
      else conditions.over(columns, dice.weighted(65 -> 0, 25 -> 1, 10 -> 2))
    }
  }

  private def table(fact: Boolean): Table = {
    val facts = tables.all.filter(t => JoinTables.isFact(t.name))
    dice.oneOf(if (fact && dice.chance(85)) facts else tables.all)
  }

  /** A base and, if the base is more than a table, the table that it reads. */
  private def source(alias: String, fact: Boolean): (Base, Option[Base]) = {
    val t = table(fact)
    val from = dice.oneOf(t.from)
    val plain = Base(from, t.columns)
    def made(text: String, columns: Seq[Column]) = (standing(alias, text, columns), Some(plain))
    dice.weighted(
      57 -> "table",
      3 -> "cached",
      4 -> "kept",
      6 -> "aggregate",
      4 -> "distinct",
      4 -> "window",
      5 -> "union",
      4 -> "limit",
      6 -> "join",
      4 -> "branches",
      (if (RandomInputs.recursion) 4 else 0) -> "recursion",
      3 -> "filter"
    ) match {
      case "table" => (plain, None)
      case "cached" => (plain.copy(views = Seq(t.name -> s"CACHE TABLE $from")), Some(plain))
      case "kept" =>
        val name = s"view_$alias"
        val text = s"SELECT * FROM $from WHERE ${conditions.over(t.columns, 0)}"
        val create = s"CREATE TEMPORARY VIEW $name AS $text"
        val views = Seq(name -> create, name -> s"CACHE TABLE $name")
        (Base(name, t.columns, views = views), Some(plain))
      case "aggregate" => aggregate(plain).fold((plain, Option.empty[Base]))((made _).tupled)
      case "distinct" =>
        val some = dice.some(t.columns, dice.between(2, 4))
        val columns = some.map(c => c.copy(merged = c.kind.merges))
        made(s"SELECT DISTINCT ${list(some)} FROM $from", columns)
      case "window" =>
        val by = list(dice.some(t.columns, dice.between(1, 2)))
        val window = s"count(*) OVER (PARTITION BY $by) AS w"
        made(s"SELECT *, $window FROM $from", t.columns :+ Column("w", Kind.Int64))
      case "union" =>
        def half = s"SELECT * FROM $from WHERE ${conditions.over(t.columns, 0)}"
        made(s"$half UNION ALL $half", t.columns)
      case "limit" =>
        // All columns are sort keys, so it does not matter which of two equal rows is kept.
        val exact = t.columns.filterNot(_.kind.merges)
        val n = dice.oneOf(Seq(5, 15, 30))
        made(s"SELECT ${list(exact)} FROM $from ORDER BY ${list(exact)} LIMIT $n", exact)
      case "join" =>
        joined(plain, depth = 0).fold((plain, Option.empty[Base])) { j =>
          made(j.sql(if (dice.chance(60)) j.condition() else ""), j.columns)
        }
      case "branches" =>
        joined(plain, depth = 0).fold((plain, Option.empty[Base])) { j =>
          made(s"${j.sql(j.condition())} UNION ALL ${j.sql(j.condition())}", j.columns)
        }
      case "recursion" => recursion(plain).fold((plain, Option.empty[Base]))((made _).tupled)
      case _ => made(s"SELECT * FROM $from WHERE ${conditions.over(t.columns, 1)}", t.columns)
    }
  }

  private def list(columns: Seq[Column]) = columns.map(_.name).mkString(", ")

  private def standing(alias: String, text: String, columns: Seq[Column]): Base =
    dice.weighted(40 -> "derived", 35 -> "with", 25 -> "view") match {
      case "derived" => Base(s"($text)", columns)
      case "with" => Base(s"cte_$alias", columns, ctes = Seq(s"cte_$alias" -> text))
      case _ =>
        val name = s"view_$alias"
        Base(name, columns, views = Seq(name -> s"CREATE TEMPORARY VIEW $name AS $text"))
    }

  private def aggregate(of: Base): Option[(String, Seq[Column])] = {
    val keys = dice.some(of.columns, dice.between(1, 3))
    val measure = of.columns.find(_.kind == Kind.Int32).map(c => s"max(${c.name}) AS m")
    val columns = keys.map(c => c.copy(merged = c.kind.merges)) ++
      Seq(Column("n", Kind.Int64)) ++ measure.map(_ => Column("m", Kind.Int32))
    val items = (Seq(list(keys), "count(*) AS n") ++ measure).mkString(", ")
    if (columns.map(_.name).distinct.length < columns.length) None
    else Some((s"SELECT $items FROM ${of.from} GROUP BY ${list(keys)}", columns))
  }

  /** `of` joined with a table, or with another such join. */
  private def joined(of: Base, depth: Int): Option[Joined] = {
    val other = table(fact = false)
    val one = Base(dice.oneOf(other.from), other.columns)
    val nested = if (depth < 2 && dice.chance(30)) joined(one, depth + 1) else None
    val right = nested.fold(one)(j => Base(s"(${j.sql(j.condition())})", j.columns))
    def under(alias: String, columns: Seq[Column]) =
      columns.map(c => c.copy(name = s"$alias.${c.name}"))
    val (l, r) = (under("x", of.columns), under("y", right.columns))
    val keys = pairs.random(l, r)
    if (keys.isEmpty) None
    else {
      val kind = dice.oneOf(Seq("JOIN", "JOIN", "LEFT JOIN"))
      val chosen = (dice.some(l, 4) ++ dice.some(r, 2)).zipWithIndex
      val columns = chosen.map { case (c, i) => c.copy(name = ('a' + i).toChar.toString) }
      val items = chosen.zip(columns).map { case ((c, _), as) => s"${c.name} AS ${as.name}" }
      val on = keys.map(_.sql).mkString(" AND ")
      val text =
        s"SELECT ${items.mkString(", ")} FROM ${of.from} AS x $kind ${right.from} AS y ON $on"
      def where(condition: String) = if (condition.isEmpty) text else s"$text WHERE $condition"
      Some(Joined(columns, where, () => conditions.over(r, 0)))
    }
  }

  /** The keys of some rows, and the keys that up to two further joins reach from them. */
  private def recursion(of: Base): Option[(String, Seq[Column])] = {
    val other = table(fact = dice.chance(50))
    val links = for {
      start <- of.columns if !start.kind.merges
      from <- other.columns if from.kind == start.kind
      to <- other.columns if to.kind == start.kind
    } yield (start, from, to)
    if (links.isEmpty) None
    else {
      val (start, from, to) = dice.oneOf(links)
      val first = s"SELECT ${start.name}, 0 FROM ${of.from} WHERE ${conditions.over(of.columns, 0)}"
      val columns = other.columns.map(c => c.copy(name = s"y.${c.name}"))
      val kept = if (dice.chance(60)) s" AND ${conditions.selective(dice.oneOf(columns))}" else ""
      val next = s"SELECT y.${to.name}, n + 1 FROM steps JOIN ${dice.oneOf(other.from)} AS y " +
        s"ON k = y.${from.name} WHERE n < 2$kept"
      val text =
        s"WITH RECURSIVE steps (k, n) AS ($first UNION ALL $next) SELECT DISTINCT k, n FROM steps"
      Some((text, Seq(start.copy(name = "k"), Column("n", Kind.Int32))))
    }
  }
}

private object RandomInputs {

  /** Whether this version of Spark supports WITH RECURSIVE. */
  private val recursion = TestedLine.atLeast("4.1")

  /**
   * A join in place of a table.
   *
   * @param sql
   *   its text for a condition, which may be empty
   * @param condition
   *   makes a condition on its right side
   */
  final case class Joined(columns: Seq[Column], sql: String => String, condition: () => String)
}
