// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.dynamicfilter

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8

import io.sparksieve.bench.{Case, CaseGroup, DataSet, QueryCase, Table, TpcDsFiles}

/**
 * TPC-DS at scale factor 1 under Spark's default settings: all 99 queries, four of them in two
 * forms, as Spark's tests have them; off, on, and off again. There are two layouts: `plain` has the
 * rows in the order of the generator, and `sorted` has the facts in the order of their date keys,
 * like data that arrives day by day. No table is partitioned.
 */
object TpcDs extends CaseGroup {

  override def position: Int = 6

  override def cases(rows: Long): Seq[Case] = for {
    layout <- Layouts
    tables = All.map(layout.table)
    query <- Queries
  } yield QueryCase(
    s"tpcds/${layout.name}/$query",
    s"TPC-DS $query, ${layout.about}",
    tables,
    text(query),
    Setup.Rule,
    expectApplied = None,
    noise = true,
    compared = withoutLimit
  )

  /** The names of the queries; four queries have two forms. */
  private val Queries: Seq[String] =
    (1 to 99).flatMap(n => if (Set(14, 23, 24, 39)(n)) Seq(s"q${n}a", s"q${n}b") else Seq(s"q$n"))

  /** The text of a query, from Spark's SQL test jar. */
  private def text(query: String): String = {
    val in: InputStream = getClass.getResourceAsStream(s"/tpcds/$query.sql")
    require(in != null, s"Spark's test jar has no tpcds/$query.sql.")
    try new String(in.readAllBytes(), UTF_8).trim
    finally in.close()
  }

  /** Removes the LIMIT, because it may return any of the rows that tie for the last places. */
  private def withoutLimit(sql: String): String = sql.replaceFirst("(?i)\\s+limit\\s+\\d+$", "")

  /**
   * @param date
   *   the date key of a fact table
   * @param columns
   *   the columns to select from the generator's file
   */
  private final case class Origin(
      name: String,
      rows: Long,
      date: Option[String] = None,
      columns: String = "*") {

    /** The writer's options: several files with several row groups each, as larger data has. */
    val options: Map[String, String] =
      if (date.isEmpty) Map.empty
      else
        Map(
          "maxRecordsPerFile" -> (rows / Slices + 1).toString,
          "parquet.block.size" -> (8L << 20).toString)
  }

  private val Slices = 8

  private sealed abstract class Layout(val name: String, val about: String) {

    def sql(origin: Origin): String

    def table(origin: Origin): Table = Table(
      origin.name,
      DataSet(
        s"tpcds-$name-${origin.name}",
        origin.rows,
        sql(origin),
        files = 1,
        options = origin.options,
        source = Some(TpcDsFiles)))

    protected def generated(origin: Origin): String = s"parquet.`${TpcDsFiles.file(origin.name)}`"
  }

  private object Plain extends Layout("plain", "rows as generated") {
    override def sql(origin: Origin): String = s"SELECT ${origin.columns} FROM ${generated(origin)}"
  }

  private object Sorted extends Layout("sorted", "facts sorted by date") {
    override def sql(origin: Origin): String = origin.date.fold(Plain.sql(origin)) { key =>
      s"SELECT /*+ REPARTITION_BY_RANGE($Slices, $key) */ * FROM ${generated(origin)} SORT BY $key"
    }
  }

  private val Layouts = Seq(Plain, Sorted)

  private val All: Seq[Origin] = Seq(
    Origin("call_center", 6),
    Origin("catalog_page", 11718),
    Origin("catalog_returns", 144067, Some("cr_returned_date_sk")),
    Origin("catalog_sales", 1441548, Some("cs_sold_date_sk")),
    // DuckDB generates version 3 of TPC-DS; Spark's queries are of version 1, which uses this name.
    Origin("customer", 100000, columns = "*, c_last_review_date_sk AS c_last_review_date"),
    Origin("customer_address", 50000),
    Origin("customer_demographics", 1920800),
    Origin("date_dim", 73049),
    Origin("household_demographics", 7200),
    Origin("income_band", 20),
    Origin("inventory", 11745000, Some("inv_date_sk")),
    Origin("item", 18000),
    Origin("promotion", 300),
    Origin("reason", 35),
    Origin("ship_mode", 20),
    Origin("store", 12),
    Origin("store_returns", 287867, Some("sr_returned_date_sk")),
    Origin("store_sales", 2880404, Some("ss_sold_date_sk")),
    Origin("time_dim", 86400),
    Origin("warehouse", 5),
    Origin("web_page", 60),
    Origin("web_returns", 71654, Some("wr_returned_date_sk")),
    Origin("web_sales", 719384, Some("ws_sold_date_sk")),
    Origin("web_site", 30)
  )
}
