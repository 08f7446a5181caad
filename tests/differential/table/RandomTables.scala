// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.table

import io.sparksieve.TestedLine
import io.sparksieve.differential.Dice

/**
 * Small random tables over few values, with NULLs and duplicates, in every kind of source.
 *
 * @param folder
 *   the folder of the tables that are read by path
 */
final class RandomTables(dice: Dice, folder: String) {

  private val collations = TestedLine.atLeast("4.0")

  def apply(): Tables = {
    val stored = dice.some(Seq("parquet", "parquet", "orc", "json", "csv"), 3)
    Tables(
      stored.zipWithIndex.map { case (format, i) => catalogued(s"t$i", format) } ++
        Seq(byPath("p0"), values("v0"), range("r0"), version2("w0")) ++
        new OddTables(dice, folder, this)(5))
  }

  private[differential] def columns(
      from: Int,
      to: Int,
      without: Set[Kind] = Set.empty): Seq[Column] = {
    val kinds = (Kind.plain ++ (if (collations) Kind.collated else Nil)).filterNot(without)
    val n = dice.between(from, to)
    // Several columns of one kind, so that they can be compared and swapped.
    val chosen = dice.some(kinds, math.max(2, n - 2)) ++ Seq(Kind.Int32, Kind.Int32)
    val usual = Seq(Kind.Int32, Kind.Text, Kind.Float64)
    val rare =
      if (dice.chance(25)) Kind.rare.filterNot(k => without.exists(_.ddl == k.ddl)) else Nil
    val all = dice.some(
      chosen ++ (if (dice.chance(50)) Seq(dice.oneOf(usual)) else Nil) ++ dice.some(rare, 2),
      n)
    all.zipWithIndex.map { case (kind, i) => Column(('a' + i).toChar.toString, kind) }
  }

  private[differential] def rows(columns: Seq[Column]): Vector[Vector[String]] = {
    // With few values per column, whole rows collide.
    val domains = columns.map { c =>
      val values = dice.some(c.kind.literals, dice.between(2, 4)) ++
        (if (dice.chance(RandomTables.extreme(c.kind)))
           dice.some(c.kind.extremes, dice.between(1, 2))
         else Nil)
      if (dice.chance(75)) "NULL" +: values else values
    }
    val n = if (dice.chance(3)) dice.below(2) else dice.between(12, 36)
    val fresh = Vector.fill(n)(domains.map(dice.oneOf(_)).toVector)
    fresh ++ fresh.filter(_ => dice.chance(25))
  }

  /** Rows of a table that is read by its path, which has no schema without a file. */
  private[differential] def someRows(columns: Seq[Column]): Vector[Vector[String]] = {
    val made = rows(columns)
    if (made.nonEmpty) made else Vector(columns.map(_ => "NULL").toVector)
  }

  private def catalogued(name: String, format: String): Table = {
    val without: Set[Kind] = format match {
      case "csv" => Set[Kind](Kind.Bytes, Kind.Struct) ++ Kind.collated ++ Kind.rare
      case "json" => Set[Kind](Kind.Bytes) ++ Kind.collated ++ Kind.rare
      // ORC's type parser does not know collations, and fails.
      case "orc" => Kind.collated.toSet ++ Kind.rare
      case _ => Set.empty
    }
    val cs = columns(3, 6, without)
    val partition = dice.some(cs, cs.length).find(c => RandomTables.partitions(c.kind))
    val partitioned = partition.filter(_ => cs.length > 2 && dice.chance(35))
    val bucket = cs.find(c => Set[Kind](Kind.Int32, Kind.Int64, Kind.Text)(c.kind))
    val by = partitioned
      .map(c => s" PARTITIONED BY (${c.name})")
      .orElse(
        bucket.filter(_ => dice.chance(15)).map(c => s" CLUSTERED BY (${c.name}) INTO 2 BUCKETS"))
      .getOrElse("")
    val cached = dice.chance(15)
    val held = rows(cs)
    val usable =
      partitioned.fold(held) { c =>
        val i = cs.indexOf(c)
        RandomTables.partitionable(held, i)
      }
    Table(
      name,
      cs,
      usable,
      select =>
        Seq(s"CREATE TABLE $name USING $format$by AS $select") ++
          (if (cached) Seq(s"CACHE TABLE $name") else Nil),
      (if (cached) Seq(s"UNCACHE TABLE IF EXISTS $name") else Nil) :+ s"DROP TABLE IF EXISTS $name",
      Seq(name),
      catalogued = true
    )
  }

  /** A directory, which each query lists by itself, and a view that listed it once. */
  private def byPath(name: String): Table = {
    val format = dice.oneOf(Seq("parquet", "orc"))
    val cs = columns(3, 5, Kind.collated.toSet ++ Kind.rare)
    val path = s"$folder/$name"
    byFolder(name, path, cs, Seq(s"$format.`$path`", name))(select =>
      Seq(
        s"CREATE TABLE ${name}_files USING $format LOCATION '$path' AS $select",
        s"CREATE TEMPORARY VIEW $name USING $format OPTIONS (path '$path')"))
  }

  /** A view of the folder `path`, which the table `<name>_files` has written. */
  private[differential] def byFolder(
      name: String,
      path: String,
      columns: Seq[Column],
      from: Seq[String])(create: String => Seq[String]): Table =
    Table(
      name,
      columns,
      someRows(columns),
      create,
      Seq(
        s"DROP VIEW IF EXISTS $name",
        s"DROP TABLE IF EXISTS ${name}_files",
        Statement.remove(path)),
      from,
      catalogued = false
    )

  private def values(name: String): Table = {
    val cs = columns(3, 5)
    val cached = dice.chance(15)
    Table(
      name,
      cs,
      rows(cs),
      select =>
        Seq(s"CREATE TEMPORARY VIEW $name AS $select") ++
          (if (cached) Seq(s"CACHE TABLE $name") else Nil),
      Seq(s"DROP VIEW IF EXISTS $name"),
      Seq(name),
      catalogued = false
    )
  }

  private def range(name: String): Table = {
    val cs = Seq(Column("id", Kind.Int64), Column("a", Kind.Int32), Column("b", Kind.Int32))
    val (n, p, q) = (dice.between(5, 40), dice.between(2, 4), dice.between(2, 4))
    val select = s"SELECT id, CAST(id % $p AS INT) AS a, CAST(id % $q AS INT) AS b FROM range($n)"
    Table(
      name,
      cs,
      Vector.empty,
      _ => Seq(s"CREATE TEMPORARY VIEW $name AS $select"),
      Seq(s"DROP VIEW IF EXISTS $name"),
      Seq(name),
      catalogued = false)
  }

  /** A table of a DSv2 catalog. */
  private def version2(name: String): Table = {
    val cs = columns(3, 5, Kind.collated.toSet ++ Kind.rare)
    val table = s"${RandomTables.Catalog}.ns.$name"
    Table(
      name,
      cs,
      rows(cs),
      select => Seq(s"CREATE TABLE $table AS $select"),
      Seq(s"DROP TABLE IF EXISTS $table"),
      Seq(table),
      catalogued = false)
  }
}

object RandomTables {

  /** The session's DSv2 catalog, which keeps its tables in memory. */
  val Catalog = "memory"

  /** The rows with values of column `i` that Spark can write as folders. */
  def partitionable(rows: Vector[Vector[String]], i: Int): Vector[Vector[String]] = {
    val named = rows.map(row => row.updated(i, nameable(row(i))))
    // Spark sorts the rows by the column, in which both zeros are equal, and opens a file whenever
    // the folder changes: it fails if zeros of both signs alternate.
    val minus = named.exists(row => row(i) == "-0.0D")
    named.map(row => if (minus && row(i) == "0.0D") row.updated(i, "-0.0D") else row)
  }

  /** The value, or NULL if a folder's name cannot hold it: invalid UTF-8, or another NaN. */
  private def nameable(value: String): String =
    if (value.contains("X'") || value.contains("-CAST('NaN'")) "NULL" else value

  /**
   * The percentage of columns that hold extremes; low for integers, because their sums overflow.
   */
  private def extreme(kind: Kind): Int =
    if (Set[Kind](Kind.Int16, Kind.Int32, Kind.Int64)(kind)) 8 else 30

  /** The kinds of partition columns; 0.0, -0.0 and NULL have separate folders. */
  private val partitions =
    Set[Kind](Kind.Int32, Kind.Text, Kind.Day, Kind.Float64, Kind.Bool, Kind.Dec, Kind.Moment)
}
