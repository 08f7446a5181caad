// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.table

import io.sparksieve.differential.Dice

/**
 * Tables that readers and caches easily handle wrongly: files that were added or replaced later,
 * few rows per row group, values in directory names, row groups that cannot be read, and
 * [[EvolvedTables]].
 *
 * @param folder
 *   the folder of the tables that are read by path
 * @param random
 *   generates their columns and rows
 */
final class OddTables(dice: Dice, folder: String, random: RandomTables) {
  import random.{byFolder, columns, rows, someRows}

  /** `n` of these tables. */
  def apply(n: Int): Seq[Table] = dice.some(
    Seq(
      grown("g0"),
      replaced("q0"),
      small("s0"),
      small("s1"),
      inferred("i0"),
      broken("b0")) ++ new EvolvedTables(dice, folder, random)(),
    n)

  /**
   * A view of a directory to which files were added later, and a view of the directory as it is
   * now.
   */
  private def grown(name: String): Table = {
    val cs = columns(3, 4, Kind.collated.toSet ++ Kind.rare)
    val path = s"$folder/$name"
    Table(
      name,
      cs,
      someRows(cs),
      select =>
        Seq(
          s"CREATE TABLE ${name}_files USING parquet LOCATION '$path' AS $select",
          s"CREATE TEMPORARY VIEW $name USING parquet OPTIONS (path '$path')",
          s"INSERT INTO ${name}_files SELECT * FROM ${name}_files LIMIT 5",
          s"CREATE TEMPORARY VIEW ${name}_now USING parquet OPTIONS (path '$path')"
        ),
      Seq(
        s"DROP VIEW IF EXISTS ${name}_now",
        s"DROP VIEW IF EXISTS $name",
        s"DROP TABLE IF EXISTS ${name}_files",
        Statement.remove(path)),
      Seq(name, s"${name}_now"),
      catalogued = false
    )
  }

  /**
   * A cached view of a directory whose files another program has replaced by some of its rows, and
   * a view of the directory as it is now.
   */
  private def replaced(name: String): Table = {
    val cs = columns(3, 4, Kind.collated.toSet ++ Kind.rare)
    val (path, next) = (s"$folder/$name", s"$folder/${name}_next")
    val change =
      if (dice.chance(50)) Statement.replace(path, next) else Statement.overwrite(path, next)
    Table(
      name,
      cs,
      someRows(cs),
      select =>
        Seq(
          s"CREATE TABLE ${name}_files USING parquet LOCATION '$path' AS $select",
          s"CREATE TABLE ${name}_next USING parquet LOCATION '$next' AS " +
            s"SELECT /*+ REPARTITION(2) */ * FROM ${name}_files LIMIT 9",
          s"CREATE TEMPORARY VIEW $name USING parquet OPTIONS (path '$path')",
          s"CACHE TABLE $name",
          change,
          s"CREATE TEMPORARY VIEW ${name}_now USING parquet OPTIONS (path '$path')"
        ),
      Seq(
        s"DROP VIEW IF EXISTS ${name}_now",
        s"DROP VIEW IF EXISTS $name",
        s"DROP TABLE IF EXISTS ${name}_next",
        s"DROP TABLE IF EXISTS ${name}_files",
        Statement.remove(path),
        Statement.remove(next)
      ),
      Seq(name, s"${name}_now"),
      catalogued = false
    )
  }

  /** Several files with few rows per row group, so that single values have their own bounds. */
  private def small(name: String): Table = {
    val format = dice.weighted(75 -> "parquet", 25 -> "orc")
    val cs = columns(3, 4, if (format == "orc") Kind.collated.toSet ++ Kind.rare else Set.empty)
    val options =
      if (format == "orc") {
        dice.oneOf(Seq("'orc.row.index.stride' '1000'", "'orc.create.index' 'false'"))
      } else {
        (Seq(
          "'parquet.block.size' '64'",
          "'parquet.page.size' '64'",
          "'parquet.page.size.row.check.min' '1'",
          s"'parquet.block.size.row.check.min' '${dice.oneOf(Seq(1, 1, 3))}'",
          "'parquet.page.row.count.limit' '1'"
        ) ++
          Seq("'parquet.enable.dictionary' 'false'").filter(_ => dice.chance(40)) ++
          Seq("'parquet.column.statistics.enabled' 'false'").filter(_ => dice.chance(15)))
          .mkString(", ")
      }
    val spread =
      dice.oneOf(Seq("", "/*+ REPARTITION(3) */ ", s"/*+ REPARTITION(4, ${cs.head.name}) */ "))
    Table(
      name,
      cs,
      rows(cs),
      select =>
        Seq(
          s"CREATE TABLE $name USING $format OPTIONS ($options) AS SELECT $spread* FROM ($select)"),
      Seq(s"DROP TABLE IF EXISTS $name"),
      Seq(name),
      catalogued = true
    )
  }

  /** Partition directories whose values have no declared type: 1 and 01, 0.0 and -0.0. */
  private def inferred(name: String): Table = {
    val (kind, text) = dice.oneOf(
      Seq[(Kind, String)](
        Kind.Int32 -> "if(hash(*) % 2 = 0, lpad(CAST(p AS STRING), 2, '0'), CAST(p AS STRING))",
        Kind.Float64 -> "CAST(p AS STRING)"))
    val others = columns(2, 3, Kind.collated.toSet ++ Kind.rare)
    val cs = others :+ Column("p", kind)
    val path = s"$folder/$name"
    val written = (others.map(_.name) :+ s"$text AS p").mkString(", ")
    byFolder(name, path, cs, Seq(name, s"parquet.`$path`"))(select =>
      Seq(
        s"CREATE TABLE ${name}_files USING parquet PARTITIONED BY (p) LOCATION '$path' AS " +
          s"SELECT $written FROM ($select)",
        s"CREATE TEMPORARY VIEW $name USING parquet OPTIONS (path '$path')"
      ))
  }

  /** Files of which one has a broken row group; the view ignores corrupt files. */
  private def broken(name: String): Table = {
    val cs = columns(3, 4, Kind.collated.toSet ++ Kind.rare)
    val path = s"$folder/$name"
    byFolder(name, path, cs, Seq(name))(select =>
      Seq(
        s"CREATE TABLE ${name}_files USING parquet OPTIONS ('parquet.block.size' '64', " +
          "'parquet.block.size.row.check.min' '2', 'parquet.page.size.row.check.min' '1') " +
          s"LOCATION '$path' AS SELECT /*+ REPARTITION(2) */ * FROM ($select)",
        Statement.break(path),
        s"CREATE TEMPORARY VIEW $name USING parquet " +
          s"OPTIONS (path '$path', ignoreCorruptFiles 'true')"
      ))
  }
}
