// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.bulkfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.bulkfilter.fused.FuseMembershipTrees
import io.sparksieve.bulkfilter.optimize.ArrangeBulkFilters
import io.sparksieve.differential.{Dice, Generator, Query, Settings}
import io.sparksieve.differential.table.{Table, Tables}
import io.sparksieve.report.core.Features

/**
 * Trees of AND, OR and NOT over up to forty files of values, up to six deep, compared with the same
 * query without Sieve's functions.
 */
object BulkGenerator extends Generator {

  override val feature: String = Features.BulkFilter

  override def rules: Seq[String] = Seq(ArrangeBulkFilters.Name, FuseMembershipTrees.Name)

  override def tables(dice: Dice, folder: String): Tables = new BulkTables(dice, folder)()

  override def query(dice: Dice, tables: Tables): Query = {
    val (rows, files) = tables.all.partition(BulkTables.isRows)
    val table = dice.oneOf(rows)
    val leaves = dice.weighted(
      18 -> 1,
      55 -> dice.between(2, 4),
      22 -> dice.between(5, 12),
      5 -> dice.between(13, 40))
    val fewKeys = leaves > 4 && dice.chance(60)
    val again = if (dice.chance(25)) redefined(dice, files) else None
    val node =
      new RandomBulkNodes(dice, table.columns, again.map(_._1).toSeq ++ files, fewKeys)(leaves)
    BulkQuery(
      table.from.head,
      table.columns.map(_.name).toVector,
      node,
      place(dice),
      again.map(_._2),
      bothForms = dice.chance(35),
      Settings.random(dice) ++ own(dice))
  }

  /** A table that reads one of the files through a view, and the query of that view. */
  private def redefined(dice: Dice, files: Seq[Table]): Option[(Table, String)] = {
    val typed = files.filter(f => Set("parquet", "orc")(RandomBulkNodes.formatOf(f)))
    if (typed.isEmpty) None
    else {
      val file = dice.oneOf(typed)
      val names = file.columns.map(_.name)
      // Swaps the names of the columns, if all columns have the same type.
      val swapped = file.columns.map(_.kind).distinct.length == 1 && dice.chance(50)
      val items =
        (if (swapped) names.reverse else names).zip(names).map { case (c, as) => s"$c AS $as" }
      val where =
        dice.oneOf(Seq("", s" WHERE pmod(hash(${names.mkString(", ")}), 2) = ${dice.below(2)}"))
      val view = file.copy(name = RandomBulkNodes.Redefined, from = Seq(RandomBulkNodes.Redefined))
      Some((view, s"SELECT ${items.mkString(", ")} FROM ${file.name}$where"))
    }
  }

  private def place(dice: Dice): Place = dice.weighted(
    45 -> Place.Where,
    7 -> Place.Having,
    9 -> Place.Selected,
    8 -> Place.Case,
    8 -> Place.Joined,
    8 -> Place.Outer,
    5 -> Place.Aggregated,
    4 -> Place.Failing,
    6 -> Place.Cached)

  private def own(dice: Dice): Map[String, String] = {
    import dice.sometimes
    def config(name: String) = s"spark.sieve.bulkFilter.$name"
    Seq(
      sometimes(60, config("costModel"), "points", "measured"),
      sometimes(15, config("enabled"), "false"),
      sometimes(20, config("maxCacheBytes"), "0", "500b"),
      sometimes(15, SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key, "false"),
      sometimes(15, SQLConf.ORC_VECTORIZED_READER_ENABLED.key, "false"),
      sometimes(10, SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key, "false"),
      // Spark interprets operators with more fields than this, as for wide tables.
      sometimes(10, SQLConf.WHOLESTAGE_MAX_NUM_FIELDS.key, "2"),
      sometimes(30, SQLConf.FILES_MAX_PARTITION_BYTES.key, "4kb"),
      sometimes(10, "spark.sieve.adaptiveFilter.enabled", "false"),
      sometimes(10, "spark.sieve.dynamicFilter.enabled", "false")
    ).reduce(_ ++ _)
  }
}
