// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

/**
 * A side of a join with a number above a shuffle of its own, which depends on the partitions of that
 * shuffle. The stage of the join reads it together with the shuffles of other sides with the same
 * key.
 *
 * @param outer
 *   the key of the other sides
 * @param key
 *   the key in `input`
 * @param number
 *   an expression that depends on partitions
 */
final case class Numbered(outer: String, key: String, input: Input, number: String) {

  def sql: String = {
    val keys = s"SELECT $key AS k, count(*) AS n FROM ${input.sql} GROUP BY $key"
    s" JOIN (SELECT k, n, $number AS number FROM ($keys)) AS numbered ON $outer = numbered.k"
  }
}

object Numbered {

  /** The number as a column of the query. */
  val Column = "numbered.number"

  /** The key of a plain join of the body, of which both sides are columns, as a side with numbers. */
  def of(body: Body, number: String): Option[Numbered] = {
    val sides = for {
      join <- body.joins if join.kind == "JOIN"
      key <- join.keys.map(_.outward(join.input.alias)) if key.isOfColumns && !key.nullSafe
    } yield Numbered(key.left, key.right, join.input, number)
    sides.headOption
  }
}
