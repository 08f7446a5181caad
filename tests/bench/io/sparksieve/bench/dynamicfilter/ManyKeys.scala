// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.dynamicfilter

import io.sparksieve.bench.{Case, CaseGroup, DataSet, Figures, QueryCase, Table, Variant}
import io.sparksieve.bench.dynamicfilter.Setup._
import io.sparksieve.conf.SieveConf

/**
 * Joins with a tenth as many keys as there are rows: at `--rows 50_000_000` more than an exact set
 * may hold. With fewer rows the caps are lowered too, so that keys go into a Bloom filter.
 */
object ManyKeys extends CaseGroup {

  override def position: Int = 7

  override def cases(rows: Long): Seq[Case] = {
    val data = new Data(rows)
    val keys = rows / 10
    val conf = OpenGate ++ Map(
      SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "true",
      SieveConf.DYNAMIC_FILTER_MAX_KEYS.key -> (keys / 5).max(1).toString,
      SieveConf.DYNAMIC_FILTER_BLOOM_MAX_BYTES.key -> s"${(keys * 4).max(1)}b"
    )
    // Ids in steps; a tag that all but a few keys have not.
    def dim(view: String, step: Int) = Table(
      view,
      DataSet(
        view.replace('_', '-'),
        keys,
        s"SELECT id * $step AS id, cast(id % 1000 AS INT) AS tag FROM ids",
        files = 4))
    def many(name: String, about: String, fact: Table, dim: Table, how: Map[String, String]) = {
      val sql = s"SELECT count(t1.name) AS names, sum(k.tag) AS tags FROM ${fact.view} t1 " +
        s"JOIN ${dim.view} k ON t1.id = k.id WHERE k.tag <> 3"
      QueryCase(
        s"many-keys/$name",
        about,
        Seq(fact, dim),
        sql,
        Rule,
        conf ++ how,
        Seq(
          on(sql, "on, given up", Map(SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "false")),
          on(sql, "on, exact", Exact),
          Variant.off(sql, "bloom filter", BloomFilter)
        ),
        noise = true
      )
    }
    val tenth = Table("t1_tenth", DataSet("t1-tenth", rows, people("id DIV 10"), files = 16))
    val matching = s"${Figures.count(keys)} keys, one in ten rows has its key"
    val all = s"${Figures.count(keys)} keys, nearly every row has its key"
    Seq(
      many("sort-merge", matching, data.unordered, dim("every_tenth", 10), SortMerge)
        .copy(target = Some(1.2)),
      many("broadcast", matching, data.unordered, dim("every_tenth", 10), Broadcast),
      many("all-match/sort-merge", all, tenth, dim("every_id", 1), SortMerge)
        .copy(target = Some(0.98)),
      many("all-match/broadcast", all, tenth, dim("every_id", 1), Broadcast)
        .copy(target = Some(0.98))
    )
  }

  private val Exact = Map(
    SieveConf.DYNAMIC_FILTER_MAX_KEYS.key -> "100000000",
    SieveConf.DYNAMIC_FILTER_MAX_KEY_SET_BYTES.key -> "1g")

  private def on(sql: String, name: String, conf: Map[String, String]) = {
    val default = Variant.on(sql)
    default.copy(name = name, conf = default.conf ++ conf)
  }

  private def people(id: String) = s"SELECT $id AS id, concat('name ', id) AS name FROM ids"
}
