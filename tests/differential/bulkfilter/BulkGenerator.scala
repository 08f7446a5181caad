package io.sparksieve.differential.bulkfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.bulkfilter.{ArrangeBulkFilters, AskTogether, BulkFilters}
import io.sparksieve.differential._

/**
 * Trees of AND, OR and NOT over up to forty files of values, up to six deep, against the same query
 * without Sieve's functions.
 */
object BulkGenerator extends Generator {

  override val room: String = BulkFilters.Room

  override def rules: Seq[String] = Seq(ArrangeBulkFilters.Name, AskTogether.Name)

  override def tables(dice: Dice, folder: String): Tables = new BulkTables(dice, folder)()

  override def query(dice: Dice, tables: Tables): Query = {
    val (rows, files) = tables.all.partition(BulkTables.isRows)
    val table = dice.oneOf(rows)
    val leaves = dice.weighted(
      16 -> 1,
      42 -> dice.between(2, 4),
      28 -> dice.between(5, 12),
      14 -> dice.between(13, 40))
    val fewKeys = leaves > 4 && dice.chance(60)
    val node = new RandomBulkNodes(dice, table.columns, files, fewKeys)(leaves)
    BulkQuery(
      table.from.head,
      table.columns.map(_.name).toVector,
      node,
      place(dice),
      Settings.random(dice) ++ own(dice))
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
    def sometimes(percent: Int, key: String, values: String*) =
      if (dice.chance(percent)) Map(key -> dice.oneOf(values)) else Map.empty[String, String]
    def knob(name: String) = s"spark.sieve.bulkFilter.$name"
    Seq(
      sometimes(60, knob("costModel"), "points", "measured"),
      sometimes(15, knob("enabled"), "false"),
      sometimes(20, knob("maxCacheBytes"), "0", "500b"),
      sometimes(15, SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key, "false"),
      sometimes(15, SQLConf.ORC_VECTORIZED_READER_ENABLED.key, "false"),
      sometimes(10, SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key, "false"),
      // Beyond it Spark interprets, as for wide tables.
      sometimes(10, SQLConf.WHOLESTAGE_MAX_NUM_FIELDS.key, "2"),
      sometimes(30, SQLConf.FILES_MAX_PARTITION_BYTES.key, "4kb"),
      sometimes(10, "spark.sieve.adaptiveFilter.enabled", "false"),
      sometimes(10, "spark.sieve.dynamicFilter.enabled", "false")
    ).reduce(_ ++ _)
  }
}
