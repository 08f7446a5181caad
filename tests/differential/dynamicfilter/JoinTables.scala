// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import io.sparksieve.TestedLine
import io.sparksieve.differential.Dice
import io.sparksieve.differential.table.{Column, Kind, RandomTables, Statement, Table, Tables}

/**
 * Tables to join: facts of several files in which a key is clustered, so that files and row groups
 * can be skipped, and dimensions, all with keys of the same kinds.
 *
 * @param folder
 *   the folder of the tables that are read by path
 */
final class JoinTables(dice: Dice, folder: String) {
  import Kind._

  private val collations = if (TestedLine.atLeast("4.0")) Kind.collated else Nil

  private val keys: Seq[Kind] = {
    val usual = Seq(Int32, Int64, Text, Day, Dec)
    val rest = Seq(Bool, Int16, Float32, Float64, Moment, Ntz, Wide, Bytes, Padded, Struct)
    dice.some(usual, 2) ++ dice.some(rest, 2) ++ dice.some(usual ++ collations, 1)
  }.distinct

  def apply(): Tables = Tables(
    Seq(
      fact("f0", "parquet"),
      fact("f1", dice.weighted(60 -> "parquet", 40 -> "orc")),
      fact("f2", dice.weighted(80 -> "parquet", 10 -> "csv", 10 -> "json")),
      dimension("d0", "parquet"),
      dimension("d1", dice.oneOf(Seq("orc", "csv", "json"))),
      byPath("d2", dice.oneOf(Seq("json", "csv", "parquet"))),
      wrapping("f3", dice.weighted(80 -> "parquet", 20 -> "orc")),
      version2("w1"),
      shrinking(JoinTables.Shrinking)
    ) ++ dice.some(new RandomTables(dice, folder)().all, 4))

  private def without(format: String): Set[Kind] = format match {
    case "csv" => Set[Kind](Bytes, Struct) ++ collations
    case "json" => Set[Kind](Bytes) ++ collations
    case "orc" => collations.toSet
    case _ => Set.empty
  }

  private def columns(barred: Set[Kind]): Seq[Column] = {
    val own = dice.some(keys.filterNot(barred), 4) ++
      dice.some(Seq(Int32, Text, Float64, Bool), 2) :+ Int32
    val named = own.zipWithIndex.map { case (kind, i) => Column(('a' + i).toChar.toString, kind) }
    // Names that have another kind in other tables.
    if (dice.chance(30)) named.map(_.name).zip(dice.some(own, own.length)).map {
      case (name, kind) => Column(name, kind)
    }
    else named
  }

  private def rows(columns: Seq[Column], n: Int, few: Boolean = false): Vector[Vector[String]] = {
    val from = dice.below(4)
    val width = dice.oneOf(if (few) Seq(4) else Seq(6, 12, KeyValues.Count - from))
    Vector.fill(n) {
      columns.map { c =>
        dice.weighted(
          8 -> "NULL",
          28 -> dice.oneOf(c.kind.literals),
          4 -> (if (c.kind.extremes.isEmpty) "NULL" else dice.oneOf(c.kind.extremes)),
          60 -> (if (c.kind == Text && dice.chance(15)) dice.oneOf(JoinTables.Texts)
                 else KeyValues.of(c.kind, from + dice.below(width)))
        )
      }.toVector
    }
  }

  private def ddl(cs: Seq[Column]) =
    cs.map(c => s"${c.name} ${c.kind.ddl}").mkString("(", ", ", ")")

  private def fact(name: String, format: String): Table = {
    val cs = columns(without(format))
    val usable = Set[Kind](Int16, Int32, Int64, Text, Day, Dec, Moment)
    val layout = cs
      .filter(c => usable(c.kind))
      .headOption
      .map { c =>
        val partition = c.kind != Dec && c.kind != Moment
        dice.weighted(
          60 -> "",
          (if (partition) 20 else 0) -> s" PARTITIONED BY (${c.name})",
          20 -> s" CLUSTERED BY (${c.name}) INTO 3 BUCKETS")
      }
      .getOrElse("")
    val small =
      if (format == "parquet" && dice.chance(50)) {
        " OPTIONS ('parquet.block.size' '64', 'parquet.block.size.row.check.min' '8', " +
          "'parquet.page.row.count.limit' '4')"
      } else ""
    val clustered = dice.oneOf(cs.filter(_.kind != Struct)).name
    val spread = dice.weighted(
      70 -> s"/*+ REPARTITION_BY_RANGE(${dice.between(2, 5)}, $clustered) */ ",
      15 -> "/*+ REPARTITION(3) */ ",
      15 -> "")
    // By name, because partition columns come last in the table.
    val names = cs.map(_.name).mkString(", ")
    // Other encodings of timestamps and decimals.
    val encodings = Seq(
      "spark.sql.parquet.outputTimestampType" ->
        dice.oneOf(Seq("TIMESTAMP_MICROS", "TIMESTAMP_MILLIS")),
      "spark.sql.parquet.writeLegacyFormat" -> "true").filter(_ => dice.chance(40))
    Table(
      name,
      cs,
      partitionable(cs, layout, rows(cs, dice.between(40, 90))),
      select =>
        encodings.map { case (k, v) => s"SET $k=$v" } ++
          Seq(
            s"CREATE TABLE $name ${ddl(cs)} USING $format$small$layout",
            s"INSERT INTO $name ($names) SELECT $spread$names FROM ($select)") ++
          encodings.map { case (k, _) => s"RESET $k" },
      Seq(s"DROP TABLE IF EXISTS $name"),
      Seq(name),
      catalogued = true
    )
  }

  private def partitionable(
      cs: Seq[Column],
      layout: String,
      rows: Vector[Vector[String]]): Vector[Vector[String]] = {
    val by = cs.indices.filter(i => layout.contains(s"PARTITIONED BY (${cs(i).name})"))
    by.foldLeft(rows)(RandomTables.partitionable)
  }

  private def dimension(name: String, format: String): Table = {
    val cs = columns(without(format))
    Table(
      name,
      cs,
      rows(cs, dice.between(6, 20)),
      select => Seq(s"CREATE TABLE $name ${ddl(cs)} USING $format", s"INSERT INTO $name $select"),
      Seq(s"DROP TABLE IF EXISTS $name"),
      Seq(name),
      catalogued = true
    )
  }

  /** The files of another table, under a schema that the reader specifies. */
  private def byPath(name: String, format: String): Table = {
    val cs = columns(without(format) + Padded ++ collations)
    val path = s"$folder/$name"
    Table(
      name,
      cs,
      rows(cs, dice.between(6, 30)),
      select =>
        Seq(
          s"CREATE TABLE ${name}_files USING $format LOCATION '$path' AS $select",
          s"CREATE TEMPORARY VIEW $name ${ddl(cs)} USING $format OPTIONS (path '$path')"
        ),
      Seq(s"DROP VIEW IF EXISTS $name", s"DROP TABLE IF EXISTS ${name}_files"),
      if (format == "parquet") Seq(name, s"parquet.`$path`") else Seq(name),
      catalogued = false
    )
  }

  /** Files whose SMALLINT columns were written as INT, with values that wrap when they are read. */
  private def wrapping(name: String, format: String): Table = {
    val cs = Column("n", Int16) +: columns(without(format) + Padded ++ collations)
      .filterNot(_.name == "n")
    val path = s"$folder/$name"
    val written = cs.map {
      case Column(n, Int16, _) => s"CAST($n AS INT) + 65536 AS $n"
      case c => c.name
    }
    Table(
      name,
      cs,
      rows(cs, dice.between(30, 60)),
      select =>
        Seq(
          s"CREATE TABLE ${name}_files USING $format LOCATION '$path' " +
            s"AS SELECT /*+ REPARTITION_BY_RANGE(3, n) */ ${written.mkString(", ")} FROM ($select)",
          s"CREATE TEMPORARY VIEW $name ${ddl(cs)} USING $format OPTIONS (path '$path')"
        ),
      Seq(s"DROP VIEW IF EXISTS $name", s"DROP TABLE IF EXISTS ${name}_files"),
      Seq(name),
      catalogued = false
    )
  }

  /** A source that returns all of its rows only once. */
  private def shrinking(name: String): Table = {
    val cs = columns(collations.toSet + Padded)
    Table(
      name,
      cs,
      rows(cs, dice.between(6, 20)),
      select =>
        Seq(
          s"CREATE TEMPORARY VIEW ${name}_rows AS $select",
          Statement.shrink(name, s"${name}_rows")),
      Seq(s"DROP VIEW IF EXISTS $name", s"DROP VIEW IF EXISTS ${name}_rows"),
      Seq(name),
      catalogued = false
    )
  }

  /** A table of a DSv2 catalog, mostly partitioned; its scan accepts runtime filters. */
  private def version2(name: String): Table = {
    val cs = columns(collations.toSet + Padded)
    val table = s"${RandomTables.Catalog}.ns.$name"
    val by = cs.filter(c => Set[Kind](Int16, Int32, Int64, Text)(c.kind)).map(_.name)
    val partitioned = if (dice.chance(75)) s" PARTITIONED BY (${dice.oneOf(by)})" else ""
    Table(
      name,
      cs,
      // Each partition is a task.
      rows(cs, dice.between(10, 40), few = partitioned.nonEmpty),
      select => Seq(s"CREATE TABLE $table$partitioned AS $select"),
      Seq(s"DROP TABLE IF EXISTS $table"),
      Seq(table),
      catalogued = false
    )
  }
}

object JoinTables {

  /** The name of the source that returns all of its rows only once. */
  val Shrinking = "once0"

  /** Bytes that are not valid UTF-8, and characters that Java's strings order differently. */
  private val Texts =
    Seq("FF", "31FF", "80", "EFBD9E", "EFBE80", "F09F9880").map(b => s"CAST(X'$b' AS STRING)")

  /** Whether a table is one of the tables with many rows. */
  def isFact(name: String): Boolean = name.matches("f[0-9]|w1")
}
