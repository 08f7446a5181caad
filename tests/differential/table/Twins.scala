// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.table

import io.sparksieve.differential.Dice

/**
 * Pairs of expressions that differ for some rows, but that Catalyst's canonical form does not
 * distinguish.
 */
final class Twins(dice: Dice, columns: Seq[Column]) {
  import Kind._

  private val clear = columns.filterNot(_.opaque)

  private def of(kinds: Kind*) = clear.filter(c => kinds.contains(c.kind))

  private def pair[T](a: T, b: T): (T, T) = if (dice.chance(50)) (a, b) else (b, a)

  /** Two expressions of one kind, both for a SELECT list. */
  def items: Option[((String, String), Kind)] = {
    val doubles = of(Float64).map(c => doubled(c) -> (Float64: Kind))
    val decimals = of(Dec).map(c => regrouped(c.name, "*", "0.0000000001BD", "99999.9BD") -> c.kind)
    val integers = of(Int32).map(c => regrouped(c.name, "+", "2147483647", "-2147483647") -> c.kind)
    val longs =
      of(Int64).map(c =>
        regrouped(c.name, "+", "9223372036854775807L", "-9223372036854775807L") -> c.kind)
    val zeros = Seq(
      (("0.0D", "-0.0D"), Float64: Kind),
      (("CAST(0.0D AS STRING)", "CAST(-0.0D AS STRING)"), Text: Kind))
    val all =
      doubles ++ doubles ++ integers ++ longs ++ zeros.take(if (dice.chance(40)) 2 else 0) ++
        decimals.map { case ((a, b), k) => (s"CAST($a AS ${k.ddl})", s"CAST($b AS ${k.ddl})") -> k }
    if (all.isEmpty) None
    else {
      val ((a, b), kind) = dice.oneOf(all)
      Some((pair(a, b), kind))
    }
  }

  /** Two conditions. */
  def conditions: Option[(String, String)] = {
    val doubles = of(Float64).flatMap { c =>
      val (a, b) = doubled(c)
      Seq(
        s"$a = 1" -> s"$b = 1",
        s"CAST($a AS STRING) = '0.0'" -> s"CAST($b AS STRING) = '0.0'",
        s"atan2(0.0D, $a) > 1" -> s"atan2(0.0D, $b) > 1",
        s"atan2(${c.name}, 0.0D) > 1" -> s"atan2(${c.name}, -0.0D) > 1"
      )
    }
    val integers = of(Int32).map { c =>
      val (a, b) = regrouped(c.name, "+", "2147483647", "-2147483647")
      s"$a >= 0" -> s"$b >= 0"
    }
    val all = doubles ++ integers
    if (all.isEmpty) None
    else {
      val (a, b) = dice.oneOf(all)
      Some(pair(a, b))
    }
  }

  private def doubled(c: Column): (String, String) = {
    val n = c.name
    val others = of(Float64).filter(_.name != n)
    val other = if (others.nonEmpty) dice.oneOf(others).name else "0.1D"
    dice.below(7) match {
      case 0 => regrouped(n, "+", "1.0E16D", "-1.0E16D")
      case 1 => regrouped(n, "*", "1.0E308D", "1.0E-308D")
      case 2 => regrouped(n, "+", other, "0.2D")
      case 3 => (s"($n + 0.0D)", s"($n + -0.0D)")
      case 4 => (s"greatest($n, 0.0D)", s"greatest(0.0D, $n)")
      case 5 => (s"least($n, 0.0D)", s"least($n, -0.0D)")
      case _ => (s"coalesce($n, 0.0D)", s"coalesce($n, -0.0D)")
    }
  }

  private def regrouped(a: String, op: String, b: String, c: String) =
    (s"(($a $op $b) $op $c)", s"($a $op ($b $op $c))")
}
