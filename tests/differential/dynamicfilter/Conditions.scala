// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import io.sparksieve.differential.Dice
import io.sparksieve.differential.expression.Predicates
import io.sparksieve.differential.table.Column

/**
 * Random conditions, none of which compares a float with zero: Spark pushes such a comparison into
 * scans, which skip files that only hold the other zero. With files of a few clustered values, as
 * here, Spark's own results would be wrong.
 */
final class Conditions(dice: Dice, predicates: Predicates) {

  /** As [[Predicates.over]]. */
  def over(columns: Seq[Column], depth: Int): String =
    withoutZero(predicates.over(columns, depth))

  /** A comparison that holds for some rows of most tables. */
  def selective(c: Column): String = withoutZero {
    def value = KeyValues.of(c.kind, dice.below(12))
    dice.below(4) match {
      case 0 => s"${c.name} < $value"
      case 1 => s"${c.name} >= $value"
      case 2 => s"${c.name} <> ${dice.oneOf(c.kind.literals)}"
      case _ => s"${c.name} IN (${Seq.fill(4)(value).mkString(", ")})"
    }
  }

  /** A comparison that holds for no row, which only a run shows. */
  def never(c: Column): String = s"pmod(hash(${c.name}), 7) = 9"

  private def withoutZero(make: => String): String =
    Iterator.continually(make).find(Zero.findFirstIn(_).isEmpty).get

  private val Zero = "(?<![0-9])0\\.0[FD]".r
}
