package io.sparksieve.differential

/**
 * Tables that readers and caches are easily wrong about: files that were added or replaced later,
 * few rows a row group, files of other types than those they are read as, coarser moments, values in
 * the names of directories, row groups that cannot be read.
 *
 * @param folder
 *   where those that are read by path are written
 * @param random
 *   what makes their columns and rows
 */
final class OddTables(dice: Dice, folder: String, random: RandomTables) {
  import random.{byFolder, columns, rows}

  /** `n` of them. */
  def apply(n: Int): Seq[Table] = dice.some(
    Seq(
      grown("g0"),
      replaced("q0"),
      small("s0"),
      small("s1"),
      narrowed("n0"),
      coarse("m0"),
      inferred("i0"),
      unsigned("u0"),
      broken("b0")),
    n)

  /** A view of a directory to which files were added later, and the directory as it is now. */
  private def grown(name: String): Table = {
    val cs = columns(3, 4, Kind.collated.toSet ++ Kind.rare)
    val path = s"$folder/$name"
    Table(
      name,
      cs,
      rows(cs),
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
   * A cached view of a directory whose files another program has since replaced by some of its
   * rows, and the directory as it is now.
   */
  private def replaced(name: String): Table = {
    val cs = columns(3, 4, Kind.collated.toSet ++ Kind.rare)
    val (path, next) = (s"$folder/$name", s"$folder/${name}_next")
    Table(
      name,
      cs,
      rows(cs),
      select =>
        Seq(
          s"CREATE TABLE ${name}_files USING parquet LOCATION '$path' AS $select",
          s"CREATE TABLE ${name}_next USING parquet LOCATION '$next' AS " +
            s"SELECT /*+ REPARTITION(2) */ * FROM ${name}_files LIMIT 9",
          s"CREATE TEMPORARY VIEW $name USING parquet OPTIONS (path '$path')",
          s"CACHE TABLE $name",
          Statement.replace(path, next),
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

  /** Several files, with few rows a row group, so that one value alone has bounds of its own. */
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

  /** Files whose unit of time is coarser than that of literals. */
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

  /** Directories whose names are values of no declared type: 1 and 01, 0.0 and -0.0. */
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

  /** Files of which one breaks off, as it is when corrupt files are ignored. */
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
