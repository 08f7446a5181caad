// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.expression

import org.apache.spark.sql.types.{BooleanType, NumericType, StringType}

import io.sparksieve.differential.Dice
import io.sparksieve.differential.table.{Column, Kind}

/**
 * Random conditions over columns, as SQL.
 *
 * @param fallible
 *   whether conditions may throw, as some then do in ANSI mode
 */
final class Predicates(dice: Dice, fallible: Boolean) {

  private val functions = new Functions(dice)

  /** Whether conditions mostly use columns of kinds that merge values or that are `uneven`. */
  private val subtle = dice.chance(50)

  /** A condition over `columns`, nested at most `depth` deep. */
  def over(columns: Seq[Column], depth: Int = 2): String =
    if (columns.isEmpty) dice.oneOf(Seq("TRUE", "FALSE", "1 = 1", "CAST(NULL AS BOOLEAN)"))
    else {
      def inner = over(columns, depth - 1)
      val shape =
        if (depth == 0) "atom"
        else {
          dice.weighted(
            10 -> "atom",
            3 -> "and",
            3 -> "or",
            2 -> "not",
            2 -> "guard",
            1 -> "case",
            1 -> "coalesce",
            1 -> "null-safe")
        }
      shape match {
        case "and" => s"($inner AND $inner)"
        case "or" => s"($inner OR $inner)"
        case "not" => s"NOT ($inner)"
        case "guard" => guarded(columns).getOrElse(inner)
        case "case" => s"CASE WHEN $inner THEN $inner ${dice.oneOf(Seq("", s"ELSE $inner "))}END"
        case "coalesce" => s"coalesce($inner, ${dice.oneOf(Seq("TRUE", "FALSE"))})"
        case "null-safe" => s"(($inner) <=> ${dice.oneOf(Seq("TRUE", "FALSE", "NULL"))})"
        case _ => atom(columns)
      }
    }

  /** A pair of conditions that never both hold; for some pairs, rules can prove that. */
  def disjoint(columns: Seq[Column]): (String, String) = if (columns.isEmpty) ("TRUE", "FALSE")
  else {
    val c = dice.oneOf(columns)
    val two = dice.some(c.kind.literals, 2)
    val (v, w) = (two.head, two.last)
    val pair = dice.below(7) match {
      case 0 => (s"${c.name} < $v", s"${c.name} >= $v")
      case 1 => (s"${c.name} <= $v", s"${c.name} > $v")
      case 2 => (s"${c.name} = $v", s"${c.name} = $w")
      case 3 => (s"${c.name} IS NULL", s"${c.name} = $v")
      case 4 => (s"${c.name} IN ($v)", s"${c.name} IN ($w, NULL)")
      case 5 => (s"${c.name} IS NOT NULL", s"${c.name} IS NULL")
      case _ =>
        val p = over(columns, 1)
        (p, s"NOT ($p)")
    }
    if (dice.chance(50)) pair else pair.swap
  }

  private def atom(columns: Seq[Column]): String = {
    val some = columns.filter(c => c.kind.merges || Predicates.uneven(c.kind))
    val c =
      if (subtle && some.nonEmpty && dice.chance(80)) dice.oneOf(some) else dice.oneOf(columns)
    // Maps cannot be compared.
    val partners =
      columns.filter(o => o.kind == c.kind && o.name != c.name && c.kind != Kind.Mapped)
    if (partners.nonEmpty && dice.chance(15)) {
      s"${c.name} ${comparison()} ${dice.oneOf(partners).name}"
    } else {
      dice.weighted(11 -> "plain", 6 -> "own", 3 -> "call") match {
        case "call" => called(columns).getOrElse(plain(c))
        case "own" =>
          val own = if (c.opaque) Predicates.respecting(c) else Predicates.of(c)
          val risky = if (fallible && !c.opaque && dice.chance(1)) Guards.conditions(c) else Nil
          val all = if (risky.nonEmpty) risky.map(_._2) else own
          if (all.isEmpty) plain(c) else dice.oneOf(all)
        case _ => plain(c)
      }
    }
  }

  private def comparison() =
    dice.oneOf(Seq("=", "<>", "<>", "<", "<=", "<=", ">", ">=", ">=", "<=>"))

  private def literal(c: Column) =
    if (c.kind.extremes.nonEmpty && dice.chance(12)) dice.oneOf(c.kind.extremes)
    else dice.oneOf(c.kind.literals)

  /** A condition on a call of a function in Spark's registry, behind a guard if it may throw. */
  private def called(columns: Seq[Column]): Option[String] =
    functions.call(columns.filterNot(_.opaque)).flatMap { call =>
      val f = call.sql
      // Most rows should pass; otherwise most results would be empty.
      val compared = (call.dataType, dice.below(8)) match {
        case (_: BooleanType, n) =>
          if (n < 3) f else if (n < 6) s"NOT $f" else s"coalesce($f, TRUE)"
        case (_, 0) => s"$f IS NULL"
        case (_, 1 | 2) => s"$f IS NOT NULL"
        case (_, 3) => s"hash($f) % 3 <> 0"
        case (_: NumericType | _: StringType, n) if n < 7 =>
          s"$f ${dice.oneOf(Seq("<=", ">=", "<>", "<", "="))} ${call.constant}"
        case (_, n) if n < 7 => s"($f <> ${call.constant} OR $f IS NULL)"
        case (_, _) => s"$f = ${call.constant}"
      }
      call.failing match {
        case Functions.Never => Some(compared)
        case Functions.Sometimes(good) if fallible && good.nonEmpty =>
          Some(behind(s"${call.columns.head.name} IN (${good.mkString(", ")})", compared))
        case _ => None
      }
    }

  /** `condition`, which is only evaluated if `guard` holds. */
  private def behind(guard: String, condition: String): String = dice.below(6) match {
    case 0 => s"CASE WHEN $guard THEN $condition ELSE FALSE END"
    case 1 => s"if($guard, $condition, FALSE)"
    case 2 => s"(NOT coalesce($guard, FALSE) OR $condition)"
    case _ => s"($guard AND $condition)"
  }

  private def plain(c: Column): String = dice.below(11) match {
    case _ if c.kind == Kind.Mapped => dice.oneOf(Predicates.of(c))
    case 0 => s"${c.name} IS NULL"
    case 1 => s"${c.name} IS NOT NULL"
    case 2 =>
      val not = if (dice.chance(30)) "NOT " else ""
      val list = dice.some(c.kind.literals :+ "NULL", dice.between(1, 3))
      s"${c.name} ${not}IN (${list.mkString(", ")})"
    case 3 => s"${c.name} BETWEEN ${literal(c)} AND ${literal(c)}"
    case 4 if dice.chance(20) =>
      // Long enough for Spark to use a hash set.
      val list = Seq.fill(12)(literal(c))
      s"${c.name} IN (${list.mkString(", ")})"
    case 5 => s"${c.name} IS NOT NULL"
    case 6 => s"${literal(c)} ${comparison()} ${c.name}"
    case _ => s"${c.name} ${comparison()} ${literal(c)}"
  }

  /** An expression that throws for some rows, if errors are allowed and a column fits. */
  def guardedItem(columns: Seq[Column]): Option[GuardedItem] = fitting(columns)(Guards.items)

  /** Conjuncts of which the last throws for rows that the first drops; empty if no column fits. */
  def guardedConjuncts(columns: Seq[Column]): Vector[String] =
    fitting(columns)(Guards.conditions).fold(Vector.empty[String]) { case (guard, condition) =>
      val between = Vector.fill(dice.between(0, 2)) {
        val c = dice.oneOf(columns)
        s"(${over(columns, 1)} OR ${c.name} IS NOT NULL)"
      }
      guard +: between :+ condition
    }

  /**
   * Two conditions that evaluate one throwing predicate behind a guard. If a filter combines both,
   * an optimizer may factor that predicate out and evaluate it before the guard.
   */
  def guardedTwice(columns: Seq[Column]): Option[(String, String)] =
    fitting(columns)(Guards.conditions).map { case (guard, condition) =>
      def other = plain(dice.oneOf(columns))
      def one = dice.below(4) match {
        case 0 => s"($other OR NOT coalesce($guard, FALSE) OR $condition)"
        case 1 => s"($guard AND $other AND $condition)"
        case 2 => s"(NOT coalesce($guard, FALSE) OR $condition)"
        case _ => behind(guard, condition)
      }
      (one, one)
    }

  /** A value that no row has, for one of the columns, if errors are allowed and a column fits. */
  def absent(columns: Seq[Column]): Option[AbsentValue] =
    fitting(columns)(Guards.absent(_).toSeq)

  /** One of what the columns offer, if errors are allowed and a column fits. */
  private def fitting[T](columns: Seq[Column])(of: Column => Seq[T]): Option[T] = {
    val all = if (fallible) columns.filterNot(_.opaque).flatMap(of) else Nil
    if (all.isEmpty) None else Some(dice.oneOf(all))
  }

  private def guarded(columns: Seq[Column]): Option[String] =
    fitting(columns)(Guards.conditions).map { case (guard, condition) =>
      // A condition between guard and predicate gives rules something to reorder.
      val between = if (dice.chance(30)) s"(${plain(dice.oneOf(columns))}) AND " else ""
      behind(guard, s"$between$condition")
    }
}

object Predicates {
  import Kind._

  /**
   * Kinds whose values in files are coarser, wider or encoded in other bytes than the values read.
   */
  private val uneven = Set[Kind](Moment, Int8, Int16, Bytes)

  /** Conditions that depend on the kind of a column, in addition to comparisons. */
  private def of(column: Column): Seq[String] = {
    val c = column.name
    column.kind match {
      case Bool => Seq(c, s"NOT $c", s"$c IS TRUE", s"$c IS NOT FALSE", s"if($c, NULL, TRUE)")
      case Int16 | Int32 | Int64 =>
        Seq(
          s"$c + 1 > 1",
          s"$c % 2 = 0",
          s"abs($c) <= 1",
          s"$c * 2 = 2",
          s"coalesce($c, 0) = 0",
          s"nullif($c, 1) IS NULL",
          s"CAST($c AS STRING) LIKE '%1%'",
          s"CAST($c AS DOUBLE) < 1.5D",
          s"greatest($c, 1) = 1",
          s"if($c > 1, TRUE, NULL)",
          s"$c / 2 = 1",
          s"-$c < 0"
        )
      case Float32 | Float64 =>
        Seq(
          s"CAST($c AS STRING) = '-0.0'",
          s"CAST($c AS STRING) LIKE '%0.0'",
          s"$c + 1 > 1",
          s"abs($c) = 0",
          s"-$c = 0",
          s"nanvl($c, 0D) = 0",
          s"coalesce($c, 0D) <= 0",
          s"hash($c) % 2 = 0",
          s"round($c, 1) = 1.5",
          s"atan2($c, -1D) > 0"
        ) ++ respecting(column)
      case Dec | Wide =>
        Seq(s"$c + 1 > 1.5", s"$c * 2 = 3.00", s"CAST($c AS INT) = 1", s"round($c) = 1")
      case Text =>
        Seq(
          s"length($c) > 1",
          s"upper($c) = 'A'",
          s"$c LIKE 'a%'",
          s"$c LIKE '%!%' ESCAPE '!'",
          s"$c RLIKE '^[a-z]'",
          s"substring($c, 1, 1) = 'a'",
          s"concat($c, 'x') = 'ax'",
          s"trim($c) = 'a'",
          s"startswith($c, 'a')",
          s"contains($c, '1')",
          s"ascii($c) > 97",
          s"try_cast($c AS INT) > 1",
          s"endswith($c, 'b')",
          s"coalesce($c, 'a') = 'a'"
        )
      case Collated(_) =>
        Seq(
          s"$c COLLATE UTF8_BINARY = 'A'",
          s"length($c) = 1",
          s"lower($c) = 'a'",
          s"CAST($c AS STRING) COLLATE UTF8_BINARY < 'a'",
          s"startswith($c, 'A')")
      case Padded => Seq(s"length($c) = 4", s"$c LIKE '1%'", s"trim($c) = '1'", s"$c = '1'")
      case Day =>
        Seq(
          s"year($c) = 2020",
          s"date_add($c, 1) > DATE'2020-02-29'",
          s"month($c) < 3",
          s"CAST($c AS STRING) LIKE '%-01'",
          s"dayofmonth($c) = 29")
      case Moment | Ntz =>
        Seq(s"hour($c) = 12", s"CAST($c AS DATE) = DATE'2020-01-31'", s"year($c) > 1")
      case Bytes => Seq(s"length($c) > 0", s"hex($c) = '61'", s"CAST($c AS STRING) = 'a'")
      case Struct =>
        Seq(
          s"$c.i = 1",
          s"$c.i IS NULL",
          s"$c.d = 0.0D",
          s"CAST($c.d AS STRING) = '-0.0'",
          s"$c.i IN (1, 2)",
          s"isnan($c.d)",
          s"$c.d > 0D")
      case Mapped =>
        Seq(
          s"$c['a'] >= 1",
          s"element_at($c, 'b') IS NULL",
          s"map_contains_key($c, 'a')",
          s"size($c) > 0",
          s"coalesce($c['b'], 1) = 1",
          s"exists(map_values($c), v -> v > 1)",
          s"$c IS NOT NULL",
          s"$c IS NULL"
        )
      case Rare(_, _, _, _) => Nil
    }
  }

  /** As `of`, but only conditions that do not distinguish values that are equal in SQL. */
  private def respecting(column: Column): Seq[String] = column.kind match {
    case Float32 | Float64 => Seq(s"isnan(${column.name})", s"NOT isnan(${column.name})")
    case Struct => Seq(s"${column.name}.i = 1", s"${column.name}.d = 0.0D")
    case _ => Nil
  }
}
