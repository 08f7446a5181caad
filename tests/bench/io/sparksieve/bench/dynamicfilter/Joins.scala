// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.dynamicfilter

import io.sparksieve.bench.{Case, CaseGroup, Figures, QueryCase, Table, Variant}
import io.sparksieve.bench.dynamicfilter.Setup._

/**
 * The join of document 001, whose small side has a filter on a column that is not the key. The
 * targets apply to `--rows 50_000_000`.
 */
object Joins extends CaseGroup {

  override def position: Int = 1

  override def cases(rows: Long): Seq[Case] = {
    val data = new Data(rows)
    document(data) ++ keys(data) ++ layouts(data) ++ kinds(data)
  }

  private val Department = "t2.department = 'd17'"
  private val Team = "t2.team = 't17'"

  private def join(where: String, t1: String = "t1", t2: String = "t2") =
    s"SELECT t1.id, t1.name, t2.department, t2.team FROM $t1 t1 JOIN $t2 t2 ON t1.id = t2.id " +
      s"WHERE $where"

  private def between(ids: Seq[Long]) = s"t1.id BETWEEN ${ids.head} AND ${ids.last}"
  private def in(ids: Seq[Long]) = ids.mkString("t1.id IN (", ", ", ")")

  /** The query with its keys written by hand; `on` should take at most 1.3 times as long. */
  private def byHand(sql: String) = Variant.off(sql, "by hand", target = Some(1 / 1.3))

  private def bloom(sql: String, target: Option[Double] = None) =
    Variant.off(sql, "bloom filter", BloomFilter, target)

  private def document(data: Data) = {
    val tables = Seq(data.t1(), data.t2())
    val clustered = join(Department)
    val scattered = join(Team)
    val many = Figures.count(data.chosen)
    val clusteredByHand = byHand(join(s"$Department AND ${between(data.ofDepartment)}"))
    val scatteredByHand = byHand(join(s"$Team AND ${in(data.ofTeam)}"))
    Seq(
      QueryCase(
        "join/sort-merge/clustered",
        s"$many adjacent keys",
        tables,
        clustered,
        Rule,
        OpenGate ++ SortMerge,
        Seq(bloom(clustered, Some(4)), clusteredByHand),
        target = Some(48)
      ),
      QueryCase(
        "join/sort-merge/scattered",
        s"$many keys, one in every stretch of t1",
        tables,
        scattered,
        Rule,
        OpenGate ++ SortMerge,
        Seq(bloom(scattered), scatteredByHand)
      ),
      QueryCase(
        "join/broadcast/clustered",
        s"$many adjacent keys",
        tables,
        clustered,
        Rule,
        OpenGate ++ Broadcast,
        Seq(clusteredByHand)),
      QueryCase(
        "join/broadcast/scattered",
        s"$many keys, one in every stretch of t1",
        tables,
        scattered,
        Rule,
        OpenGate ++ Broadcast,
        Seq(scatteredByHand),
        noise = true)
    )
  }

  private def keys(data: Data) = {
    def typed(name: String, key: String => String) = {
      val tables =
        Seq(data.t1(s"t1_$name", key("id")), data.t2(s"t2_$name", key("n")))
      val sql = join(Department, s"t1_$name", s"t2_$name")
      QueryCase(
        s"keys/$name",
        s"the adjacent keys of a department, of type $name",
        tables,
        sql,
        Rule,
        OpenGate ++ SortMerge,
        Seq(bloom(sql)))
    }
    Seq(
      typed("int", id => s"cast($id AS INT)"),
      typed("string", id => s"lpad($id, 12, '0')"),
      typed("decimal", id => s"cast($id AS DECIMAL(12, 2))"),
      typed("date", id => s"date_add(DATE '1970-01-01', cast($id DIV 64 AS INT))")
    )
  }

  private def layouts(data: Data) = {
    val t2 = data.t2()
    def layout(name: String, about: String, t1: Table, others: String => Seq[Variant]) = {
      val sql = join(Department, t1.view)
      QueryCase(s"layout/$name", about, Seq(t1, t2), sql, Rule, OpenGate ++ SortMerge, others(sql))
    }
    def on(name: String, conf: Map[String, String])(sql: String) = {
      val default = Variant.on(sql)
      Seq(default.copy(name = name, conf = default.conf ++ conf))
    }
    Seq(
      layout("unordered", "t1 in no order: nothing to skip", data.unordered, s => Seq(bloom(s))),
      layout("partitioned", "t1 in eight folders", data.partitioned, _ => Nil),
      layout("files-16", "t1 in 16 files", data.t1(), on("on, footers", Footers)),
      layout(
        "files-1000",
        "t1 in 1,000 files",
        data.t1("t1_in_1000", files = 1000),
        on("on, no footers", NoFooters))
    )
  }

  private def kinds(data: Data) = {
    val tables = Seq(data.t1(), data.t2())
    def kind(name: String, about: String, sql: String, how: Map[String, String]) =
      QueryCase(s"kinds/$name", about, tables, sql, Rule, OpenGate ++ how)
    Seq(
      kind(
        "in",
        "IN: a left semi-join that shuffles",
        s"SELECT * FROM t1 WHERE id IN (SELECT id FROM t2 WHERE $Department)",
        SortMerge),
      kind(
        "exists",
        "EXISTS: a left semi-join that broadcasts",
        s"SELECT * FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t1.id = t2.id AND $Department)",
        Broadcast
      ),
      kind(
        "left-outer",
        "a left join, whose right side is t1",
        s"SELECT t2.id, t1.name FROM t2 LEFT JOIN t1 ON t1.id = t2.id WHERE $Department",
        SortMerge),
      kind(
        "aggregated",
        "t1 is grouped by the key first",
        "SELECT t1.id, t1.names FROM (SELECT id, count(name) AS names FROM t1 GROUP BY id) t1 " +
          s"JOIN t2 ON t1.id = t2.id WHERE $Department",
        SortMerge
      )
    )
  }
}
