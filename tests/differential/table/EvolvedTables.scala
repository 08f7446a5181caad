// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.table

import io.sparksieve.differential.Dice

/**
 * Tables whose files differ from the schema with which they are read: in types, units, names or
 * positions of columns, or in the type of a column from one directory to the next.
 *
 * @param folder
 *   the folder of the tables that are read by path
 * @param random
 *   generates their columns and rows
 */
final class EvolvedTables(dice: Dice, folder: String, random: RandomTables) {
  import random.{byFolder, columns, rows}

  def apply(): Seq[Table] = Seq(
    narrowed("n0"),
    coarse("m0"),
    unsigned("u0"),
    identified("k0"),
    retyped("y0"),
    byPlace("o0"))

  /** Files of wider or other types than those that they are read as. */
  private def narrowed(name: String): Table = {
    val pairs: Seq[(Kind, String)] = dice.some(
      Seq(
        Kind.Int8 -> "INT",
        Kind.Int16 -> "INT",
        Kind.Text -> "BINARY",
        Kind.Bytes -> "STRING",
        Kind.Int32 -> "INT",
        Kind.Float64 -> "DOUBLE",
        Kind.Dec -> "DECIMAL(9,2)"),
      4
    )
    val cs = pairs.zipWithIndex.map { case ((kind, _), i) =>
      Column(('a' + i).toChar.toString, kind)
    }
    val path = s"$folder/$name"
    val written = cs
      .zip(pairs)
      .map {
        case (c, (Kind.Int8 | Kind.Int16, t)) => s"CAST(${c.name} * 1 AS $t) + 65536 AS ${c.name}"
        case (c, (Kind.Bytes, t)) => s"CAST(${c.name} AS $t) AS ${c.name}"
        case (c, (_, t)) => s"try_cast(${c.name} AS $t) AS ${c.name}"
      }
      .mkString(", ")
    val read = cs.map(c => s"${c.name} ${c.kind.ddl}").mkString(", ")
    byFolder(name, path, cs, Seq(name))(select =>
      Seq(
        s"CREATE TABLE ${name}_files USING parquet OPTIONS ('parquet.block.size' '64', " +
          "'parquet.block.size.row.check.min' '2', 'parquet.page.size.row.check.min' '1') " +
          s"LOCATION '$path' AS SELECT $written FROM ($select)",
        s"CREATE TEMPORARY VIEW $name ($read) USING parquet OPTIONS (path '$path')"
      ))
  }

  /** Files with a coarser time unit than literals have. */
  private def coarse(name: String): Table = {
    val others = columns(2, 3, Kind.collated.toSet ++ Kind.rare)
    val cs = others :+ Column("m", Kind.Moment)
    val unit = "spark.sql.parquet.outputTimestampType"
    val written = dice.oneOf(Seq("TIMESTAMP_MILLIS", "TIMESTAMP_MILLIS", "INT96"))
    Table(
      name,
      cs,
      rows(cs),
      select =>
        Seq(
          s"SET $unit=$written",
          s"CREATE TABLE $name USING parquet AS SELECT /*+ REPARTITION(3) */ * FROM ($select)",
          s"RESET $unit"),
      Seq(s"DROP TABLE IF EXISTS $name"),
      Seq(name),
      catalogued = true
    )
  }

  /** Unsigned integers, which Spark reads as the next wider type. */
  private def unsigned(name: String): Table = {
    val cs =
      Statement.Unsigned.zip(Seq[Kind](Kind.Int16, Kind.Int32, Kind.Int64, Kind.Unsigned64)).map {
        case ((column, _), kind) => Column(column, kind)
      }
    val path = s"$folder/$name"
    Table(
      name,
      cs,
      rows(cs),
      select =>
        Seq(
          s"CREATE TEMPORARY VIEW ${name}_rows AS $select",
          Statement.unsigned(s"${name}_rows", path),
          s"CREATE TEMPORARY VIEW $name USING parquet OPTIONS (path '$path')"
        ),
      Seq(
        s"DROP VIEW IF EXISTS $name",
        s"DROP VIEW IF EXISTS ${name}_rows",
        Statement.remove(path)),
      Seq(name),
      catalogued = false
    )
  }

  /** Files whose columns are matched by field id; two columns have swapped names. */
  private def identified(name: String): Table = {
    val cs = twoAlike()
    val path = s"$folder/$name"
    val rowsOf = s"${name}_rows"
    Table(
      name,
      cs,
      rows(cs),
      select => Seq(s"CREATE TEMPORARY VIEW $rowsOf AS $select", Statement.identify(rowsOf, path)),
      Seq(
        s"DROP VIEW IF EXISTS ${rowsOf}_view",
        s"DROP VIEW IF EXISTS ${rowsOf}_other",
        s"DROP VIEW IF EXISTS global_temp.${rowsOf}_other",
        s"DROP VIEW IF EXISTS $rowsOf",
        Statement.remove(path)
      ),
      Seq(s"${rowsOf}_view", s"${rowsOf}_other"),
      catalogued = false
    )
  }

  /** Two directories that hold one column as different types. */
  private def retyped(name: String): Table = {
    val (kind, other) = dice.oneOf(
      Seq[(Kind, String)](
        Kind.Int32 -> "STRING",
        Kind.Text -> "INT",
        Kind.Day -> "STRING",
        Kind.Int32 -> "BIGINT"))
    val format = dice.weighted(60 -> "parquet", 40 -> "orc")
    val others = columns(2, 3, Kind.collated.toSet ++ Kind.rare)
    val p = Column("p", Kind.Int32)
    val cs = (others :+ Column("z", kind)) :+ p
    val path = s"$folder/$name"
    val read = cs.map(c => s"${c.name} ${c.kind.ddl}").mkString(", ")
    val kept = others.map(_.name).mkString(", ")
    // Spark 3.5 knows no star in a condition.
    val all = cs.map(_.name).mkString(", ")
    def part(n: Int, z: String) =
      s"CREATE TABLE ${name}_$n USING $format LOCATION '$path/p=$n' AS " +
        s"SELECT $kept, $z AS z FROM ${name}_rows WHERE pmod(hash($all), 2) = $n"
    Table(
      name,
      cs,
      rows(cs),
      select =>
        Seq(
          s"CREATE TEMPORARY VIEW ${name}_rows AS $select",
          part(0, "z"),
          part(1, s"try_cast(z AS $other)"),
          s"CREATE TEMPORARY VIEW $name ($read) USING $format OPTIONS (path '$path')",
          Statement.readV2(path, format, s"${name}_v2", read)
        ),
      Seq(
        s"DROP VIEW IF EXISTS ${name}_v2",
        s"DROP VIEW IF EXISTS $name",
        s"DROP TABLE IF EXISTS ${name}_1",
        s"DROP TABLE IF EXISTS ${name}_0",
        s"DROP VIEW IF EXISTS ${name}_rows",
        Statement.remove(path)
      ),
      Seq(name, s"${name}_v2"),
      catalogued = false
    )
  }

  /** ORC files whose columns are matched by position; two columns have swapped names. */
  private def byPlace(name: String): Table = {
    val cs = twoAlike()
    val path = s"$folder/$name"
    val read = cs.map(c => s"${c.name} ${c.kind.ddl}")
    byFolder(name, path, cs, Seq(name))(select =>
      Seq(
        s"CREATE TABLE ${name}_files USING orc LOCATION '$path' AS " +
          "SELECT /*+ REPARTITION_BY_RANGE(3, a) */ b AS a, a AS b, " +
          s"${cs.drop(2).map(_.name).mkString(", ")} FROM ($select)",
        s"CREATE TEMPORARY VIEW $name (${(read.take(2).reverse ++ read.drop(2)).mkString(", ")}) " +
          s"USING orc OPTIONS (path '$path', 'orc.force.positional.evolution' 'true')"
      ))
  }

  /** Columns of which the first two have one type, so that they can swap their names. */
  private def twoAlike(): Seq[Column] = {
    val kind = dice.oneOf(Seq(Kind.Int32, Kind.Text, Kind.Float64))
    val others = columns(2, 3, Kind.collated.toSet ++ Kind.rare)
    (Seq(kind, kind) ++ others.map(_.kind)).zipWithIndex.map { case (k, i) =>
      Column(('a' + i).toChar.toString, k)
    }
  }
}
