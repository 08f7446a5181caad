package io.sparksieve.bench.bulkfilter

import io.sparksieve.bench.{DataSet, Table, Tables}
import io.sparksieve.bulkfilter.ProjectionBulkFilter

/**
 * A table of rows with five keys, and files of values to filter them by; each file has a quarter of
 * the values that there are, chosen at random.
 *
 * @param keys
 *   values of a file
 * @param files
 *   how many files there are
 * @param apart
 *   the distance of the values: 1 for numbers without gaps
 */
final class Data(val rows: Long, val keys: Long, files: Int, apart: Long) {

  private val suffix = s"${keys}_${files}_$apart"

  /** `id` and the keys `a` to `e`. */
  val table: Table = {
    val columns = Data.Columns.map { c =>
      s"pmod(xxhash64(id, '$c'), ${keys * Data.Step}L) * ${apart}L AS $c"
    }
    Table(
      s"bulk_rows_$suffix",
      DataSet("bulk-rows", rows, s"SELECT id, ${columns.mkString(", ")} FROM ids"))
  }

  private val values = {
    val (number, file) = (s"(id % $keys)", s"(id DIV $keys)")
    val value = s"($number * ${Data.Step} + ${chosen(number, file)}) * ${apart}L"
    val sql = s"SELECT $value AS k, CAST($file AS INT) AS f FROM ids"
    // As many slices as files, so that each task writes one file.
    Table(
      s"bulk_values_$suffix",
      DataSet("bulk-values", keys * files, sql, files = files, partitionBy = Seq("f")))
  }

  def tables: Seq[Table] = Seq(table, values)

  /** The file number `i`. */
  def path(i: Int): String =
    Tables.Home.resolve(values.data.key).resolve(s"f=$i").toAbsolutePath.toString

  /** A leaf over file number `i` and the column of that number, in turn; its name is the number. */
  def leaf(i: Int, operation: String = "Include"): ProjectionBulkFilter =
    ProjectionBulkFilter(Data.Columns(i % Data.Columns.length), path(i), operation).named(s"$i")

  /** The values of a leaf as a query. */
  def valuesOf(leaf: ProjectionBulkFilter): String =
    s"SELECT k FROM ${values.view} WHERE f = ${leaf.name.get}"

  /** Whether a leaf's file has its key, told without the file. */
  def formula(leaf: ProjectionBulkFilter): String = {
    val value = s"(${Data.keyOf(leaf)} DIV $apart)"
    s"pmod($value, ${Data.Step}) = " +
      chosen(s"($value DIV ${Data.Step})", s"CAST(${leaf.name.get} AS BIGINT)")
  }

  /** Which of the values of a step a file has. */
  private def chosen(number: String, file: String) =
    s"pmod(xxhash64($number, $file), ${Data.Step})"
}

object Data {

  val Columns: Seq[String] = Seq("a", "b", "c", "d", "e")

  /** A file has one value of so many. */
  val Step = 4

  /** A distance at which only hashing serves. */
  val FarApart = 0x3779b97fL

  /** The column that is a leaf's key. */
  def keyOf(leaf: ProjectionBulkFilter): String = Columns(leaf.name.get.toInt % Columns.length)
}
