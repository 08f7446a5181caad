// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.expression

import io.sparksieve.differential.Dice
import io.sparksieve.differential.table.{Column, Kind}

/** One column of a SELECT. */
final case class Item(expression: String, as: String, kind: Kind, merged: Boolean) {
  def sql: String = if (expression == as) as else s"$expression AS $as"
  def isColumn(of: Seq[Column]): Boolean = of.exists(_.name == expression)
}

/** Random SELECT lists: columns (plain, renamed, swapped, computed, shadowing) and literals. */
final class Projections(dice: Dice) {
  import Kind._

  private val functions = new Functions(dice)

  def over(columns: Seq[Column]): Vector[Item] =
    if (dice.chance(12)) columns.map(c => Item(c.name, c.name, c.kind, c.merged)).toVector
    else if (dice.chance(10)) swapped(columns)
    else {
      val n = dice.weighted(3 -> 1, 5 -> 2, 3 -> 3, 1 -> 4)
      dice.some(columns, n).foldLeft(Vector.empty[Item]) { (items, c) =>
        val (expression, kind) =
          if (dice.chance(72)) (c.name, c.kind)
          else if (dice.chance(15)) dice.oneOf(literals)
          else if (!c.opaque && dice.chance(30)) called(c)
          else {
            val all = computed(c)
            if (all.isEmpty) (c.name, c.kind) else dice.oneOf(all)
          }
        items :+ Item(expression, name(c, columns, items), kind, c.merged && kind.merges)
      }
    }

  /**
   * A call of a function in Spark's registry that throws for no value; the column if there is none.
   */
  private def called(c: Column): (String, Kind) =
    functions
      .call(Seq(c))
      .filter(_.failing == Functions.Never)
      .fold((c.name, c.kind))(_.item)

  /** Columns of the given kinds, in this order; a literal if no column has the kind. */
  def ofKinds(columns: Seq[Column], wanted: Seq[Item]): Vector[Item] =
    wanted.map { w =>
      val same = columns.filter(c => c.kind == w.kind)
      if (same.isEmpty) w.copy(expression = dice.oneOf(w.kind.literals))
      else {
        val c = dice.oneOf(same)
        w.copy(expression = c.name, merged = c.merged)
      }
    }.toVector

  private def swapped(columns: Seq[Column]): Vector[Item] = {
    val chosen = dice.some(columns, dice.between(2, 3))
    val names = chosen.tail :+ chosen.head
    chosen.zip(names).map { case (c, n) => Item(c.name, n.name, c.kind, c.merged) }.toVector
  }

  /** The column's own name, the name of another column, or a new name. */
  private def name(c: Column, columns: Seq[Column], taken: Seq[Item]): String = {
    val fresh = s"x${taken.length}"
    val wanted = dice.weighted(5 -> c.name, 2 -> dice.oneOf(columns).name, 3 -> fresh)
    if (taken.exists(_.as == wanted)) fresh else wanted
  }

  private def literals: Seq[(String, Kind)] = Seq(
    "1" -> Int32,
    "'lit'" -> Text,
    "CAST(NULL AS INT)" -> Int32,
    "0.0D" -> Float64,
    "TRUE" -> Bool)

  private def computed(column: Column): Seq[(String, Kind)] = if (column.opaque) Nil
  else {
    val c = column.name
    column.kind match {
      case Bool => Seq(s"NOT $c" -> Bool, s"if($c, 1, 0)" -> Int32)
      case Int32 =>
        Seq(
          s"$c + 1" -> Int32,
          s"$c % 2" -> Int32,
          s"-$c" -> Int32,
          s"coalesce($c, 0)" -> Int32,
          s"CAST($c AS BIGINT)" -> Int64,
          s"$c / 2" -> Float64,
          s"$c > 1" -> Bool,
          s"CASE WHEN $c > 1 THEN $c END" -> Int32,
          s"CAST($c AS STRING)" -> Text,
          s"named_struct('i', $c, 'd', 0.0D)" -> Struct
        )
      case Int16 => Seq(s"CAST($c AS INT)" -> Int32, s"$c % 2S" -> Int16)
      case Int64 => Seq(s"$c + 1" -> Int64, s"$c % 2" -> Int64, s"CAST($c AS DOUBLE)" -> Float64)
      case Float32 => Seq(s"CAST($c AS DOUBLE)" -> Float64, s"-$c" -> Float32)
      case Float64 =>
        Seq(
          s"$c + 1" -> Float64,
          s"-$c" -> Float64,
          s"abs($c)" -> Float64,
          s"$c > 0" -> Bool,
          s"CAST($c AS STRING)" -> Text,
          s"coalesce($c, 0.0D)" -> Float64)
      case Dec => Seq(s"CAST($c AS DOUBLE)" -> Float64, s"-$c" -> Dec, s"$c > 1" -> Bool)
      case Text =>
        Seq(
          s"upper($c)" -> Text,
          s"length($c)" -> Int32,
          s"concat($c, 'x')" -> Text,
          s"coalesce($c, 'a')" -> Text,
          s"substring($c, 1, 1)" -> Text)
      case Wide => Seq(s"CAST($c AS DECIMAL(10,2))" -> Dec, s"$c > 1" -> Bool)
      case Padded => Seq(s"trim($c)" -> Text, s"length($c)" -> Int32)
      case Collated(_) => Seq(s"length($c)" -> Int32, s"$c COLLATE UTF8_BINARY" -> Text)
      case Day =>
        Seq(s"date_add($c, 1)" -> Day, s"month($c)" -> Int32, s"CAST($c AS STRING)" -> Text)
      case Moment | Ntz => Seq(s"CAST($c AS DATE)" -> Day, s"hour($c)" -> Int32)
      case Bytes => Seq(s"hex($c)" -> Text, s"length($c)" -> Int32)
      case Struct => Seq(s"$c.i" -> Int32, s"$c.d" -> Float64)
      case Mapped => Seq(s"size($c)" -> Int32, s"$c['a']" -> Int32)
      case Rare(_, _, _, _) => Nil
    }
  }
}
