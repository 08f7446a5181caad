// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.dynamicfilter

import io.sparksieve.bench.{DataSet, Table}

/**
 * The tables of document 001: a large `t1(id, name)` and a fiftieth of its ids in `t2(id,
 * department, team)`.
 *
 * A department has up to 1,000 adjacent ids of `t2`; a team has as many ids, evenly spread. The
 * queries select department 17 or team 17.
 */
final class Data(val rows: Long) {

  /** Rows of `t2`. */
  val keys: Long = (rows / Data.Step).max(20)

  /** Ids in one department or team. */
  val chosen: Long = (keys / 20).min(1000)

  private val teams = keys / chosen

  /** `t1`, in the order of its ids. */
  def t1(view: String = "t1", id: String = "id", files: Int = 16): Table =
    Table(view, DataSet("t1", rows, people(id), files = files))

  /** `t1` in no order: every range of rows has ids from the whole domain. */
  def unordered: Table =
    Table("t1_unordered", DataSet("t1-unordered", rows, people(s"id * 104729 % $rows"), files = 16))

  /** `t1` in eight partitions; each holds ids from the whole domain, in order. */
  def partitioned: Table = {
    val sql = people("id", ", cast(id % 8 AS INT) AS region")
    val data = DataSet("t1-partitioned", rows, sql, files = 4, partitionBy = Seq("region"))
    Table("t1_by_region", data)
  }

  /** `t2`; its ids are computed from `n`, which counts in steps of 50. */
  def t2(view: String = "t2", id: String = "n"): Table = Table(
    view,
    DataSet(
      "t2",
      keys,
      s"""SELECT $id AS id, concat('d', id DIV $chosen) AS department,
         |  concat('t', id % $teams) AS team FROM (SELECT id, id * ${Data.Step} AS n FROM ids)
         |""".stripMargin,
      files = 4
    )
  )

  /** The ids of department 17. */
  def ofDepartment: Seq[Long] = (0L until chosen).map(i => (17 * chosen + i) * Data.Step)

  /** The ids of team 17. */
  def ofTeam: Seq[Long] = (17L until keys by teams).map(_ * Data.Step)

  private def people(id: String, more: String = "") =
    s"SELECT $id AS id, concat('name ', id) AS name$more FROM ids"
}

object Data {

  /** One id of `t1` in this many is in `t2`. */
  val Step = 50L
}
