// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.rangesource

import io.sparksieve.differential.Dice
import io.sparksieve.differential.expression.Predicates
import io.sparksieve.differential.table.{Column, Kind}

/**
 * Random conditions over the source's columns, with numbers that its rows have or just miss.
 *
 * @param prefix
 *   the qualifier of the columns that may be in a struct
 */
final class Conditions(dice: Dice, rows: Int, prefix: String) {

  private val columns = Seq("val", s"${prefix}squared", s"${prefix}cubed")

  private val others = new Predicates(dice, fallible = false)

  /** A condition, nested at most `depth` deep. */
  def over(depth: Int): String = {
    def inner = over(depth - 1)
    if (depth == 0) leaf
    else
      dice.weighted(
        4 -> leaf,
        3 -> s"($inner AND $inner)",
        3 -> s"($inner OR $inner)",
        2 -> s"NOT ($inner)",
        1 -> other)
  }

  /** A condition that is mostly of a kind that Spark does not push into sources. */
  private def other: String =
    others.over(
      columns.zip(Seq(Kind.Int32, Kind.Int64, Kind.Int64)).map { case (n, k) => Column(n, k) },
      1)

  private def leaf: String = {
    val power = dice.weighted(50 -> 1, 25 -> 2, 25 -> 3)
    val column = columns(power - 1)
    def number: String = dice.weighted(
      85 -> (BigInt(dice.between(-1, rows + 2)).pow(power) + dice.between(-1, 1)).toString,
      5 -> "NULL",
      4 -> (if (power == 1) "2147483647" else "9223372036854775807"),
      2 -> "-2147483648",
      2 -> "3000000000",
      2 -> s"${dice.below(50)}.5"
    )
    dice.weighted(
      60 -> s"$column ${dice.oneOf(Seq("=", "<>", "<", "<=", ">", ">=", "<=>"))} $number",
      5 -> s"$number ${dice.oneOf(Seq("<", "<=", ">", ">=", "="))} $column",
      15 -> s"$column IN (${Seq.fill(dice.between(1, 12))(number).mkString(", ")})",
      6 -> s"$column NOT IN (${Seq.fill(dice.between(1, 3))(number).mkString(", ")})",
      8 -> s"$column BETWEEN $number AND $number",
      3 -> s"$column IS NULL",
      3 -> s"$column IS NOT NULL"
    )
  }
}
