// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import io.sparksieve.differential.Dice
import io.sparksieve.differential.expression.{Item, Predicates, Projections}
import io.sparksieve.differential.table.{Column, Kind, Table, Tables}

/** Random sources for the branches of a query: tables, and queries in place of a table. */
final class Bases(dice: Dice, tables: Tables, predicates: Predicates) {

  private val projections = new Projections(dice)

  def any(): Base = dice.weighted(
    50 -> "table",
    10 -> "derived",
    12 -> "cte",
    8 -> "view",
    4 -> "stored view",
    7 -> "join",
    5 -> "aggregate",
    4 -> "set operation",
    3 -> "metadata",
    2 -> "guarded") match {
    case "table" => table(dice.oneOf(tables.all))
    case "derived" =>
      val (text, columns) = select()
      Base(s"($text)", columns)
    case "cte" =>
      val (text, columns) = select()
      Base("cte0", columns, ctes = Seq("cte0" -> text))
    case "view" =>
      val (text, columns) = select()
      Base("view0", columns, views = Seq("view0" -> s"CREATE TEMPORARY VIEW view0 AS $text"))
    case "stored view" =>
      val stored = tables.all.filter(_.catalogued)
      val (text, columns) = selectFrom(table(dice.oneOf(stored)))
      Base("view1", columns, views = Seq("view1" -> s"CREATE VIEW view1 AS $text"))
    case "join" => standing(join())
    case "aggregate" => standing(aggregate())
    case "guarded" => standing(guarded())
    case "metadata" => standing(metadata())
    case _ => standing(setOperation())
  }

  def table(t: Table): Base = {
    val from = dice.oneOf(t.from)
    Base(from, t.columns, twins = t.from.filter(_ != from))
  }

  /** A query as a derived table, a WITH definition or a view. */
  private def standing(query: (String, Seq[Column])): Base = {
    val (text, columns) = query
    dice.below(3) match {
      case 0 => Base(s"($text)", columns)
      case 1 => Base("cte0", columns, ctes = Seq("cte0" -> text))
      case _ =>
        Base("view0", columns, views = Seq("view0" -> s"CREATE TEMPORARY VIEW view0 AS $text"))
    }
  }

  private def select(): (String, Seq[Column]) = selectFrom(table(dice.oneOf(tables.all)))

  private def selectFrom(base: Base): (String, Seq[Column]) = {
    val level = Level(
      if (dice.chance(40)) all(base.columns) else projections.over(base.columns),
      if (dice.chance(60)) Vector(predicates.over(base.columns, 1)) else Vector.empty,
      distinct = dice.chance(8)
    )
    (level.sql(base.from), level.columns)
  }

  private def all(columns: Seq[Column]) =
    columns.map(c => Item(c.name, c.name, c.kind, c.merged)).toVector

  private def join(): (String, Seq[Column]) = {
    val (l, r) = (dice.oneOf(tables.all), dice.oneOf(tables.all))
    val pairs = for (a <- l.columns; b <- r.columns if a.kind == b.kind) yield (a, b)
    if (pairs.isEmpty) select()
    else {
      val (a, b) = dice.oneOf(pairs)
      val kind = dice.oneOf(Seq("JOIN", "LEFT JOIN"))
      val left = dice.some(l.columns, 2).map(c => s"x.${c.name}" -> c.kind)
      val right = dice.some(r.columns, 2).map(c => s"y.${c.name}" -> c.kind)
      val columns = (left ++ right).zipWithIndex.map { case ((name, k), i) =>
        (name, Column(('a' + i).toChar.toString, k))
      }
      val items = columns.map { case (name, c) => s"$name AS ${c.name}" }.mkString(", ")
      val others = dice.oneOf(r.from)
      // What fails for a key of the left side, if Spark infers it there.
      val fallible = b.kind == Kind.Int32 && dice.chance(10)
      val inner = if (fallible) s"(SELECT * FROM $others WHERE 10 % ${b.name} <> 3)" else others
      (
        s"SELECT $items FROM ${dice.oneOf(l.from)} AS x $kind $inner AS y ON x.${a.name} = y.${b.name}",
        columns.map(_._2))
    }
  }

  /**
   * Rows of which one column cannot be cast where another, which is never NULL, does not pass the
   * filter. Beside a further condition on the latter, Spark may drop that part of the filter.
   */
  private def guarded(): (String, Seq[Column]) = {
    val ints = for (t <- tables.all; c <- t.columns if c.kind == Kind.Int32) yield (t, c.name)
    if (ints.isEmpty) select()
    else {
      val (table, column) = dice.oneOf(ints)
      val (g, most) = (s"coalesce($column, 0)", dice.between(0, 3))
      val filter = dice.oneOf(
        Seq(
          s"g <= $most AND CAST(s AS INT) > 0",
          s"g > $most OR CAST(s AS INT) > 0",
          s"CASE WHEN g <= $most THEN CAST(s AS INT) > 0 ELSE FALSE END"))
      val rows =
        s"SELECT $g AS g, IF($g > $most, 'x', '1') AS s, $column AS b FROM ${dice.oneOf(table.from)}"
      val columns = Seq(Column("g", Kind.Int32), Column("s", Kind.Text), Column("b", Kind.Int32))
      (s"SELECT * FROM ($rows) WHERE $filter", columns)
    }
  }

  /** Columns of a table, and some that its files have beside them: where a row is stored. */
  private def metadata(): (String, Seq[Column]) = {
    def statement(t: Table, words: String) = t.statements.exists(_.startsWith(words))
    val stored = tables.all.filter(t =>
      statement(t, s"CREATE TABLE ${t.name} USING parquet") && !statement(t, "CACHE"))
    if (stored.isEmpty) select()
    else {
      val t = dice.oneOf(stored)
      val fields = dice.some(
        Seq(
          "file_name" -> Kind.Text,
          "row_index" -> Kind.Int64,
          "file_size" -> Kind.Int64,
          "file_block_start" -> Kind.Int64),
        dice.between(1, 2))
      val added = fields.zipWithIndex.map { case ((field, kind), i) =>
        Item(s"_metadata.$field", s"m$i", kind, merged = false)
      }
      val shown = all(dice.some(t.columns, dice.between(1, 3))) ++ added
      val level = Level(shown, Vector.empty, distinct = false)
      (level.sql(t.name), level.columns)
    }
  }

  private def aggregate(): (String, Seq[Column]) = {
    val t = dice.oneOf(tables.all)
    val keys = dice.some(t.columns, dice.between(1, 2))
    // Aggregates whose value does not depend on the order of the rows.
    val fallible = t.columns.filter(_ => dice.chance(10)).find(_.kind == Kind.Text)
    // What fails, unless the filter on a key drops all such rows before.
    val measured = fallible
      .map(c => s"max(CAST(${c.name} AS INT))")
      .orElse(t.columns.find(_.kind == Kind.Int32).map(c => s"max(${c.name})"))
    val columns = keys.map(c => c.copy(merged = c.kind.merges)) ++
      Seq(Column("n", Kind.Int64)) ++ measured.map(_ => Column("m", Kind.Int32))
    val names = keys.map(_.name).mkString(", ")
    val items = (Seq(names, "count(*) AS n") ++ measured.map(m => s"$m AS m")).mkString(", ")
    (s"SELECT $items FROM ${dice.oneOf(t.from)} GROUP BY $names", columns)
  }

  private def setOperation(): (String, Seq[Column]) = {
    val t = table(dice.oneOf(tables.all))
    val items = projections.over(t.columns)
    def side() = Level(items, Vector(predicates.over(t.columns, 1)), distinct = false).sql(t.from)
    val op = dice.oneOf(Seq("EXCEPT", "INTERSECT", "UNION ALL", "UNION"))
    val merges = op != "UNION ALL"
    (
      s"${side()} $op ${side()}",
      items.map(i => Column(i.as, i.kind, i.merged || (merges && i.kind.merges))))
  }
}
