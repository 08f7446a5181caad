// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.rangesource

import io.sparksieve.differential.{Dice, Generator, Query, Settings}
import io.sparksieve.differential.table.{Column, Kind, Table, Tables}
import io.sparksieve.rangesource.Pushdown
import io.sparksieve.report.core.Features

/**
 * Filters, limits, aggregates, set operations and joins over the source, in each of its modes and
 * through DSv1 and DSv2.
 */
object RangeGenerator extends Generator {

  /** The name of the file table with the same rows. */
  val Reference = "reference_keys"

  private val Most = 64

  override val feature: String = Features.RangeSource

  override def rules: Seq[String] = Seq("FilterInterpreter")

  override def tables(dice: Dice, folder: String): Tables = {
    val names = Seq("val" -> Kind.Int32, "squared" -> Kind.Int64, "cubed" -> Kind.Int64)
    Tables(
      Seq(
        Table(
          Reference,
          names.map { case (name, kind) => Column(name, kind) },
          (1L to Most.toLong).map(k => Vector(s"$k", s"${k * k}L", s"${k * k * k}L")).toVector,
          select => Seq(s"CREATE TABLE $Reference USING parquet AS $select"),
          Seq(s"DROP TABLE IF EXISTS $Reference"),
          Seq(Reference),
          catalogued = true
        )))
  }

  override def query(dice: Dice, tables: Tables): Query = {
    val nested = dice.chance(35)
    val rows = if (dice.chance(4)) dice.below(3) else dice.between(5, Most)
    val pushdown = dice.weighted(60 -> "push", 25 -> "evaluate", 15 -> "none")
    require(Pushdown.named(pushdown).nonEmpty)
    val prefix = if (nested) "data." else ""
    val (start, end) = shape(dice, s"${prefix}squared", s"${prefix}cubed")
    val conditions = new Conditions(dice, rows, prefix)
    RangeQuery(
      dice.weighted(75 -> "rangedb", 25 -> "rangedb-v1"),
      s"rows '$rows', partitions '${dice.oneOf(Seq(1, 2, 5))}', pushdown '$pushdown', nested '$nested'",
      rows,
      nested,
      start,
      Vector.fill(dice.weighted(12 -> 0, 63 -> 1, 25 -> 2))(conditions.over(dice.below(4))),
      end,
      Settings.random(dice)
    )
  }

  /** The text before and after WHERE. */
  private def shape(dice: Dice, squared: String, cubed: String): (String, String) = {
    val from = s" FROM ${RangeQuery.Source}"
    val columns = dice.some(Seq("val", squared, cubed), dice.between(1, 3)).mkString(", ")
    val all = s"SELECT val, $squared AS s, $cubed AS c$from"
    val limit = s" LIMIT ${dice.below(12)}"
    val offset = if (dice.chance(40)) s" OFFSET ${dice.below(6)}" else ""
    val order = dice.oneOf(Seq("val", squared, cubed, s"$cubed DESC", "val DESC", "-val, val"))
    val limited = s" ORDER BY $order$limit$offset"
    dice.weighted(
      30 -> ((s"SELECT $columns$from", "")),
      25 -> ((s"SELECT $columns$from", limited)),
      15 -> ((
        s"SELECT count(*) AS n, count($squared) AS m, min(val) AS a, max(val) AS b, min($cubed) AS c, max($squared) AS d$from",
        "")),
      6 -> ((s"SELECT val % 3 AS k, count(*) AS n, max($cubed) AS m$from", " GROUP BY val % 3")),
      // A LIMIT without ORDER BY may return any rows, but their number is determined.
      8 -> ((s"SELECT count(*) AS n FROM (SELECT val$from", s"$limit$offset)")),
      8 -> ((s"$all WHERE val <= ${dice.below(40)} EXCEPT ALL $all", "")),
      8 -> ((
        s"SELECT l.* FROM $Reference r JOIN ($all",
        s") l ON l.val = r.val AND r.cubed % 5 = ${dice.below(5)}")),
      5 -> ((
        s"SELECT max(l.val) AS m FROM $Reference r JOIN (SELECT val$from",
        s" ORDER BY $order$limit) l ON l.val = r.val AND r.squared % 3 = ${dice.below(3)}"))
    )
  }
}
