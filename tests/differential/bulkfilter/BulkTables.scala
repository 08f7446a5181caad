// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.bulkfilter

import io.sparksieve.differential.Dice
import io.sparksieve.differential.dynamicfilter.KeyValues
import io.sparksieve.differential.table.{Column, Kind, Table, Tables}

/**
 * Tables of rows with keys of many kinds, and files of values of the same kinds, in every format
 * that can hold them; both with NULLs and duplicates.
 *
 * @param folder
 *   the folder of the files
 */
final class BulkTables(dice: Dice, folder: String) {
  import Kind._

  private val kinds: Seq[Kind] = dice.some(
    Seq(Int16, Int32, Int64, Text, Day, Moment, Ntz, Dec, Wide, Bool, Bytes, Float32, Float64),
    7)

  def apply(): Tables = Tables(
    Seq(rows("r0", "parquet"), rows("r1", "orc"), rows("r2", "parquet")) ++
      (0 until 12).map(i => file(i)))

  private def named(own: Seq[Kind]): Seq[Column] =
    own.zipWithIndex.map { case (kind, i) => Column(('a' + i).toChar.toString, kind) }

  /** Strings that are not valid UTF-8, which only some formats preserve. */
  private val invalid = Seq("FF", "C328", "EDA080", "61FF").map(x => s"CAST(X'$x' AS STRING)")

  private def values(columns: Seq[Column], n: Int, keepsBytes: Boolean): Vector[Vector[String]] = {
    val fresh = Vector.fill(n) {
      columns.map { c =>
        dice.weighted(
          10 -> "NULL",
          (if (c.kind == Text && keepsBytes) 10 else 0) -> dice.oneOf(invalid),
          35 -> dice.oneOf(c.kind.literals),
          55 -> KeyValues.of(c.kind, dice.below(KeyValues.Count))
        )
      }.toVector
    }
    fresh ++ fresh.filter(_ => dice.chance(20))
  }

  private def rows(name: String, format: String): Table = {
    val columns = named(kinds ++ Seq(Int32, Text))
    val clustered = columns.head.name
    val spread = dice.weighted(60 -> s"/*+ REPARTITION_BY_RANGE(3, $clustered) */ ", 40 -> "")
    val cached = name == "r2" && dice.chance(60)
    Table(
      name,
      columns,
      values(columns, dice.between(30, 60), keepsBytes = true),
      select =>
        Seq(s"CREATE TABLE $name USING $format AS SELECT $spread* FROM ($select)") ++
          (if (cached) Seq(s"CACHE TABLE $name") else Nil),
      (if (cached) Seq(s"UNCACHE TABLE IF EXISTS $name") else Nil) :+ s"DROP TABLE IF EXISTS $name",
      Seq(name),
      catalogued = true
    )
  }

  /** A file of values: one column, or two for keys of two columns. */
  private def file(i: Int): Table = {
    val format =
      dice.weighted(45 -> "parquet", 15 -> "orc", 20 -> "csv", 10 -> "json", 10 -> "text")
    val fitting = kinds.filterNot(k => k == Bytes && Set("csv", "json")(format))
    val own: Seq[Kind] =
      if (format == "text") Seq(Text)
      else dice.some(fitting, if (dice.chance(40)) 2 else 1)
    val columns = named(own).map(c => c.copy(name = if (c.name == "a") "k" else "m"))
    val (name, path) = (s"x$i", BulkTables.path(folder, i))
    val options = if (format == "csv") " OPTIONS (header 'true')" else ""
    // Without a row these have no columns that a query could name.
    val empty = if (format == "csv" || format == "json") 1 else 8
    val held = if (format == "text") columns.map(_.copy(name = "value")) else columns
    Table(
      name,
      held,
      values(
        held,
        dice.weighted(empty -> 0, 20 -> 2, 72 -> dice.between(5, 25)),
        keepsBytes = format == "parquet" || format == "orc"),
      select => Seq(s"CREATE TABLE $name USING $format$options LOCATION '$path' AS $select"),
      Seq(s"DROP TABLE IF EXISTS $name"),
      Seq(name, path),
      catalogued = true
    )
  }
}

object BulkTables {

  /** The path of file number `i`. */
  private def path(folder: String, i: Int) = s"$folder/x$i"

  def isRows(table: Table): Boolean = table.name.startsWith("r")
}
