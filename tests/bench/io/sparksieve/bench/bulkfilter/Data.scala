// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.bulkfilter

import io.sparksieve.bench.{DataSet, Table, Tables}
import io.sparksieve.bulkfilter.api.ProjectionBulkFilter

/**
 * A table with five key columns, and files of values to filter it by. Each file holds a quarter of
 * all possible values, chosen at random.
 *
 * @param keys
 *   number of values of a file
 * @param files
 *   number of files
 * @param apart
 *   the distance between adjacent values: 1 for numbers without gaps
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
    // As many partitions of the ids as files, so that each task writes one file.
    Table(
      s"bulk_values_$suffix",
      DataSet("bulk-values", keys * files, sql, files = files, partitionBy = Seq("f")))
  }

  def tables: Seq[Table] = Seq(table, values)

  /** The path of file number `i`. */
  def path(i: Int): String =
    Tables.Home.resolve(values.data.key).resolve(s"f=$i").toAbsolutePath.toString

  /** A leaf over file number `i`, named by that number; leaves use the columns in turn. */
  def leaf(i: Int, operation: String = "Include"): ProjectionBulkFilter =
    ProjectionBulkFilter(Data.Columns(i % Data.Columns.length), path(i), operation).named(s"$i")

  /** A query that returns the values of a leaf. */
  def valuesOf(leaf: ProjectionBulkFilter): String =
    s"SELECT k FROM ${values.view} WHERE f = ${leaf.name.get}"

  /** A predicate that computes whether a leaf's file contains its key, without reading the file. */
  def formula(leaf: ProjectionBulkFilter): String = {
    val value = s"(${Data.keyOf(leaf)} DIV $apart)"
    s"pmod($value, ${Data.Step}) = " +
      chosen(s"($value DIV ${Data.Step})", s"CAST(${leaf.name.get} AS BIGINT)")
  }

  /** The position, in each group of [[Data.Step]] values, of the value that a file holds. */
  private def chosen(number: String, file: String) =
    s"pmod(xxhash64($number, $file), ${Data.Step})"
}

object Data {

  val Columns: Seq[String] = Seq("a", "b", "c", "d", "e")

  /** A file holds one of this many values. */
  val Step = 4

  /** A distance at which key sets must hash. */
  val FarApart = 0x3779b97fL

  /** The key column of a leaf. */
  def keyOf(leaf: ProjectionBulkFilter): String = Columns(leaf.name.get.toInt % Columns.length)
}
