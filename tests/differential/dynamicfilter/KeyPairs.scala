// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import io.sparksieve.differential.Dice
import io.sparksieve.differential.table.{Column, Kind}
import io.sparksieve.differential.table.Kind._

/** One equality of a join condition, both sides as SQL. */
final case class JoinKey(left: String, right: String, nullSafe: Boolean) {

  def sql: String = s"$left ${if (nullSafe) "<=>" else "="} $right"

  /** Whether both sides are columns, not expressions of them. */
  def isOfColumns: Boolean = Seq(left, right).forall(_.matches("\\w+\\.\\w+"))

  /** The equality with the side of `alias` on the right. */
  def outward(alias: String): JoinKey =
    if (left.contains(s"$alias.")) copy(left = right, right = left) else this

  /** The same condition in a form in which Spark finds no equi-join key. */
  def opaque: String = s"coalesce($sql, FALSE)"
}

/**
 * Chooses the columns that a join equates.
 *
 * @param fallible
 *   whether a comparison may throw, as comparisons of strings do in ANSI mode
 */
final class KeyPairs(dice: Dice, fallible: Boolean) {

  /** Kinds whose values can be compared with each other, by a cast that Spark inserts. */
  private val families: Seq[Set[Kind]] = Seq(
    Set(Int16, Int32, Int64, Dec, Wide),
    Set(Int32, Int64, Float32, Float64, Dec),
    Set(Int32, Int64, Text, Padded),
    Set(Day, Moment, Ntz, Text),
    Set(Dec, Wide, Float64, Text)
  )

  private def compare(a: Kind, b: Kind, usingTexts: Boolean): Boolean =
    a != b && (usingTexts || !texts(a) && !texts(b)) && families.exists(f => f(a) && f(b))

  private val texts = Set[Kind](Text, Padded)

  /**
   * Between one and three equalities, or none if the two sides have no columns for one.
   *
   * @param left
   *   columns with their qualified names
   */
  def random(left: Seq[Column], right: Seq[Column]): Seq[JoinKey] = {
    val pairs = for (a <- left; b <- right) yield (a, b)
    // A cast could distinguish merged values, which no expression may do.
    val usingTexts = fallible && dice.chance(40)
    val mixed = pairs.filter { case (a, b) =>
      compare(a.kind, b.kind, usingTexts) && !a.opaque && !b.opaque
    }
    val same = pairs.filter { case (a, b) => a.kind == b.kind }
    // These kinds have few values, so joins on them alone return far more rows.
    val (narrow, wide) = same.partition { case (a, _) => a.kind == Bool || a.kind == Struct }
    val n = dice.weighted(82 -> 1, 14 -> 2, 4 -> 3)
    (0 until n)
      .flatMap { i =>
        val pool =
          if (mixed.nonEmpty && dice.chance(20)) mixed
          else if (narrow.nonEmpty && dice.chance(if (i == 0) 4 else 30)) narrow
          else if (wide.nonEmpty) wide
          else same
        if (pool.isEmpty) None else Some(dice.oneOf(pool))
      }
      .distinct
      .map { case (a, b) => key(a, b) }
  }

  private def key(a: Column, b: Column): JoinKey = {
    val nullSafe = dice.chance(10)
    val plain = JoinKey(a.name, b.name, nullSafe)
    val other = dice.weighted(88 -> None, 6 -> Some(true), 6 -> Some(false))
    other match {
      case Some(left) if !a.opaque && !b.opaque =>
        computed(if (left) a else b).fold(plain) { e =>
          if (left) plain.copy(left = e) else plain.copy(right = e)
        }
      case _ => if (dice.chance(50)) plain else plain.copy(plain.right, plain.left)
    }
  }

  /** An expression of the column, in its own type or in a type that it can be compared with. */
  private def computed(c: Column): Option[String] = {
    val n = c.name
    val all = c.kind match {
      case Int16 => Seq(s"CAST($n AS BIGINT)", s"CAST($n AS INT)")
      case Int32 => Seq(s"$n + 1", s"coalesce($n, 0)", s"CAST($n AS BIGINT)", s"$n % 5", s"-$n")
      case Int64 => Seq(s"$n - 1", s"coalesce($n, 1)", s"CAST($n AS DECIMAL(20,0))")
      case Float32 => Seq(s"CAST($n AS DOUBLE)", s"-$n")
      case Float64 => Seq(s"abs($n)", s"-$n", s"nanvl($n, 0D)")
      case Dec | Wide => Seq(s"CAST($n AS DECIMAL(24,6))", s"-$n")
      case Text => Seq(s"trim($n)", s"substring($n, 1, 1)", s"coalesce($n, '1')")
      case Day => Seq(s"date_add($n, 1)", s"CAST($n AS TIMESTAMP)")
      case Moment => Seq(s"CAST($n AS DATE)", s"date_trunc('DAY', $n)")
      case _ => Nil
    }
    if (all.isEmpty) None else Some(dice.oneOf(all))
  }
}
