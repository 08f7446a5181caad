// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.dynamicfilter

import io.sparksieve.bench.{Case, CaseGroup, DataSet, Figures, QueryCase, Table, Variant}
import io.sparksieve.bench.dynamicfilter.Setup._

/**
 * How costs grow with the number of keys and of files. The cases of keys have a filter that drops
 * no row, so on minus off is the cost of collecting and probing keys. The cases of files run with
 * and without reading footers.
 */
object Growth extends CaseGroup {

  override def position: Int = 4

  override def cases(rows: Long): Seq[Case] = keys(rows) ++ files(rows)

  private val Exponents = 2 to 7

  private def power(exponent: Int): Long = math.pow(10, exponent.toDouble).toLong

  private def keys(rows: Long) = for {
    exponent <- Exponents if power(exponent) <= rows.max(power(Exponents.head))
    (how, conf) <- Seq("sort-merge" -> SortMerge, "broadcast" -> Broadcast)
  } yield QueryCase(
    s"growth/keys-1e$exponent/$how",
    s"${Figures.count(power(exponent))} keys, which all rows have",
    Seq(probe(rows), build(exponent)),
    s"SELECT count(*) AS rows FROM probe p JOIN keys_1e$exponent k ON p.k_$exponent = k.id " +
      "WHERE k.tag = 1",
    Rule,
    OpenGate ++ conf,
    expectApplied = None
  )

  /**
   * A key column for each number of keys, hashed so that every range of rows holds keys from the
   * whole domain.
   */
  private def probe(rows: Long) = {
    val columns =
      Exponents.map(e => s"pmod(xxhash64(id, $e), ${power(e)}) AS k_$e").mkString(", ")
    Table("probe", DataSet("probe", rows, s"SELECT $columns FROM ids"))
  }

  /** All keys have the tag that the query selects, which Spark cannot know in advance. */
  private def build(exponent: Int) = Table(
    s"keys_1e$exponent",
    DataSet("keys", power(exponent), "SELECT id, 1 AS tag FROM ids", files = 4))

  private def files(rows: Long) = for {
    exponent <- 1 to 4 if power(exponent) <= rows
    data = new Data(rows)
    t1 = data.t1(s"t1_in_1e$exponent", files = power(exponent).toInt)
    sql = s"SELECT t1.name, t2.team FROM ${t1.view} t1 JOIN t2 ON t1.id = t2.id " +
      "WHERE t2.department = 'd17'"
    on = Variant.on(sql)
  } yield QueryCase(
    s"growth/files-1e$exponent",
    s"t1 in ${Figures.count(power(exponent))} files",
    Seq(t1, data.t2()),
    sql,
    Rule,
    OpenGate ++ SortMerge ++ Footers,
    Seq(on.copy(name = "on, no footers", conf = on.conf ++ NoFooters))
  )
}
