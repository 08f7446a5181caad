// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.setop

import io.sparksieve.bench.{DataSet, Table}

/** Generated flights: ten columns, nearly all rows distinct, one row in ten a duplicate. */
object Flights {

  /** Every value is a hash of the row's key, so rows with the same key are equal. */
  private def rows(rows: Long): String = {
    def drawn(salt: Int, below: Int) = s"cast(pmod(xxhash64(key, $salt), $below) AS INT)"
    s"""SELECT ${drawn(1, 12)} + 1 AS month, ${drawn(2, 28)} + 1 AS day,
       |  ${drawn(3, 1440)} AS dep_time, concat('C', ${drawn(4, 16)}) AS carrier,
       |  ${drawn(5, 8000)} AS flight, concat('N', ${drawn(6, 4000)}) AS tailnum,
       |  element_at(array('EWR', 'JFK', 'LGA'), ${drawn(7, 3)} + 1) AS origin,
       |  concat('D', ${drawn(8, 100)}) AS dest, ${drawn(9, 4900)} + 100 AS distance,
       |  CASE WHEN ${drawn(10, 50)} > 0 THEN ${drawn(11, 400)} - 60 END AS delay
       |FROM (SELECT id % ${(rows * 9 / 10).max(1)} AS key FROM ids)""".stripMargin
  }

  /** `flights` in Parquet, in no order. */
  def parquet(rows: Long): Table =
    Table("flights", DataSet("flights", rows, this.rows(rows)))

  /** `flights` in CSV. */
  def csv(rows: Long): Table =
    Table("flights_csv", DataSet("flights", rows, this.rows(rows), format = "csv"))

  /**
   * `flights` in Parquet with a range of months per file, like files that arrive month by month.
   */
  def byMonth(rows: Long): Table = {
    val sorted =
      s"SELECT /*+ REPARTITION_BY_RANGE(8, month) */ * FROM (${this.rows(rows)}) SORT BY month"
    Table("flights_by_month", DataSet("flights-by-month", rows, sorted))
  }

  /** A hundredth of `flights`, small enough to be broadcast. */
  def small(rows: Long): Table = {
    val fewer = (rows / 100).max(1)
    Table("flights_small", DataSet("flights-small", fewer, this.rows(fewer), files = 2))
  }

  /**
   * All columns under other names. Spark's own rule for EXCEPT looks filter columns up by name, so
   * it leaves these queries to the anti-join.
   */
  val Renamed: String = renamed(
    "month",
    "day",
    "dep_time",
    "carrier",
    "flight",
    "tailnum",
    "origin",
    "dest",
    "distance",
    "delay")

  /** Some columns under other names. */
  def renamed(columns: String*): String = columns.map(c => s"$c AS ${c}_").mkString(", ")
}
