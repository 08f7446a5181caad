package io.sparksieve.differential.dynamicfilter

import io.sparksieve.differential.{Column, Dice, Predicates}

/**
 * Random conditions, but none that compares a float with zero: Spark gives such a comparison to
 * scans, which skip the files that hold the other zero only. With files of a few clustered values,
 * as here, that makes Spark's own answers wrong.
 */
final class Conditions(dice: Dice, predicates: Predicates) {

  /** As [[Predicates.over]]. */
  def over(columns: Seq[Column], depth: Int): String =
    withoutZero(predicates.over(columns, depth))

  /** A comparison that some rows of most tables meet. */
  def selective(c: Column): String = withoutZero {
    def value = KeyValues.of(c.kind, dice.below(12))
    dice.below(4) match {
      case 0 => s"${c.name} < $value"
      case 1 => s"${c.name} >= $value"
      case 2 => s"${c.name} <> ${dice.oneOf(c.kind.literals)}"
      case _ => s"${c.name} IN (${Seq.fill(4)(value).mkString(", ")})"
    }
  }

  private def withoutZero(make: => String): String =
    Iterator.continually(make).find(Zero.findFirstIn(_).isEmpty).get

  private val Zero = "(?<![0-9])0\\.0[FD]".r
}
