// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.advise

import io.sparksieve.advice.{LayoutCase, ManyFilesCase}
import io.sparksieve.bench.{Case, CaseGroup, DataSet, Table, TpcDsFiles}

/**
 * Tables and queries to advise on: tables of TPC-DS and generated columns of many kinds. Each is
 * written as 40 or so files in the order of the generator.
 */
object Workloads extends CaseGroup {

  override def position: Int = 1

  override def cases(rows: Long): Seq[Case] = tpcds ++ generated(math.min(rows, 400000L)) :+
    ManyFilesCase("files/1000", "a table of 1,000 files", many(math.min(rows, 2500000L)))

  private def tpcds: Seq[Case] = {
    def layout(name: String, about: String, table: String, columns: String, filters: String*) =
      LayoutCase(
        s"tpcds/$name",
        about,
        Table(
          s"advise_tpcds_$name",
          DataSet(
            s"advise-tpcds-$name",
            // The rows are those of the generator's file.
            1,
            s"SELECT /*+ REPARTITION(40) */ $columns FROM parquet.`${TpcDsFiles.file(table)}`",
            source = Some(TpcDsFiles)
          )
        ),
        filters
      )
    val store = "ss_sold_date_sk, ss_item_sk, ss_customer_sk, ss_store_sk, ss_quantity, " +
      "ss_sales_price, ss_net_profit, ss_ticket_number"
    Seq(
      layout(
        "store_date",
        "store_sales, a month and a quarter",
        "store_sales",
        store,
        "ss_sold_date_sk BETWEEN 2451180 AND 2451210",
        "ss_sold_date_sk BETWEEN 2451911 AND 2452000"
      ),
      layout(
        "store_two",
        "store_sales, items and dates",
        "store_sales",
        store,
        "ss_item_sk IN (17, 3001, 12000)",
        "ss_sold_date_sk BETWEEN 2451911 AND 2451941",
        "ss_item_sk < 900 AND ss_sold_date_sk > 2452000"
      ),
      layout(
        "store_price",
        "store_sales, prices and shops",
        "store_sales",
        store,
        "ss_sales_price > 190.00",
        "ss_store_sk = 4 AND ss_quantity BETWEEN 90 AND 95",
        "ss_net_profit < -8000.00"
      ),
      layout(
        "web",
        "web_sales, pages and quantities",
        "web_sales",
        "ws_sold_date_sk, ws_item_sk, ws_web_page_sk, ws_quantity, ws_order_number, ws_net_paid",
        "ws_sold_date_sk BETWEEN 2451545 AND 2451600",
        "ws_quantity > 98 AND ws_web_page_sk < 6"
      ),
      layout(
        "catalog",
        "catalog_sales, customers and items",
        "catalog_sales",
        "cs_sold_date_sk, cs_bill_customer_sk, cs_item_sk, cs_warehouse_sk, cs_net_paid",
        "cs_bill_customer_sk = 5000",
        "cs_item_sk BETWEEN 100 AND 140",
        "cs_sold_date_sk > 2452600"
      ),
      layout(
        "inventory",
        "inventory, items and warehouses",
        "inventory",
        "*",
        "inv_item_sk = 1001",
        "inv_warehouse_sk = 3 AND inv_quantity_on_hand < 50",
        "inv_date_sk BETWEEN 2451400 AND 2451500"
      ),
      layout(
        "address",
        "customer_address, texts",
        "customer_address",
        "*",
        "ca_state = 'CA'",
        "ca_zip LIKE '35%'",
        "ca_city = 'Fairview' AND ca_county >= 'W'")
    )
  }

  private def generated(rows: Long): Seq[Case] = {
    def random(seed: Int, of: Long) = s"pmod(xxhash64(id, $seed), $of)"
    def layout(name: String, about: String, columns: String, filters: String*) =
      layoutOf(name, about, columns, 40, Map.empty, filters)
    def layoutOf(
        name: String,
        about: String,
        columns: String,
        files: Int,
        options: Map[String, String],
        filters: Seq[String]) =
      LayoutCase(
        s"made/$name",
        about,
        Table(
          s"advise_$name",
          DataSet(
            s"advise-$name",
            rows,
            s"SELECT $columns, sha2(CAST(id AS STRING), 256) AS rest FROM ids",
            files = files,
            options = options)
        ),
        filters
      )
    val u = s"${random(1, 1000000)} AS u"
    val v = s"${random(2, 1000000)} AS v"
    Seq(
      layout("range", "a range of one column", s"id AS t, $u", "u BETWEEN 5000 AND 20000"),
      layout(
        "two",
        "two independent columns",
        s"$u, $v",
        "u < 20000",
        "v BETWEEN 700000 AND 720000"),
      layout(
        "both",
        "two columns under AND",
        s"CAST(${random(3, 50)} AS INT) AS c, $v",
        "c = 7 AND v < 50000",
        "c IN (3, 4) AND v > 900000"),
      layout(
        "skewed",
        "a column of which most rows have few values",
        s"CAST(pow(10, ${random(4, 1000)} / 200.0) AS BIGINT) AS z, $v",
        "z > 50000",
        "z = 1",
        "z BETWEEN 100 AND 120 AND v < 300000"
      ),
      layout(
        "arrival",
        "times in the order of arrival, and a device",
        "1700000000 + id + pmod(xxhash64(id), 5000) AS ts, " +
          s"CAST(${random(5, 2000)} AS INT) AS device",
        "ts >= 1700950000",
        "device = 77",
        "device < 20 AND ts < 1700100000"
      ),
      layout(
        "nulls",
        "a column that is mostly NULL",
        s"IF(${random(6, 10)} = 0, ${random(7, 10000)}, NULL) AS n, $v",
        "n = 17",
        "n IS NOT NULL AND v < 100000"
      ),
      layout(
        "texts",
        "texts by prefix and value",
        s"concat('user-', lpad(CAST(${random(8, 40000)} AS STRING), 6, '0')) AS name, $v",
        "name LIKE 'user-0123%'",
        "name = 'user-034567'"
      ),
      layout(
        "doubles",
        "floating-point numbers under OR",
        s"CAST(${random(9, 1000000)} AS DOUBLE) / 7 AS x, CAST($v AS DOUBLE) AS w"
          .replace(s"CAST($v AS DOUBLE)", s"CAST(${random(2, 1000000)} AS DOUBLE)"),
        "x < 1000 OR x > 142000",
        "w BETWEEN 10 AND 5000"
      ),
      layout(
        "correlated",
        "two columns that go together",
        s"$u, CAST(${random(1, 1000000)} / 10 + ${random(10, 3000)} AS INT) AS near",
        "u BETWEEN 100000 AND 130000",
        "near BETWEEN 50000 AND 51000"
      ),
      layout(
        "days",
        "a day of a month, and a function of it",
        s"date_add(DATE'2024-01-01', CAST(${random(11, 31)} AS INT)) AS d, $v",
        "d = DATE'2024-01-15'",
        "dayofweek(d) = 1 AND v < 500000"
      ),
      layout(
        "list",
        "a long list of values",
        s"$u, $v",
        s"u IN (${(0 until 8).map(_ * 111111).mkString(", ")})",
        s"v IN (${(0 until 40).map(_ * 300 + 50000).mkString(", ")})"
      ),
      layout("sorted", "a table that is sorted already", "id AS t", "t BETWEEN 1000 AND 60000"),
      layoutOf(
        "groups",
        "files with several row groups",
        s"$u, CAST(${random(12, 300)} AS INT) AS c",
        4,
        Map("parquet.block.size" -> (3L << 20).toString),
        Seq("u < 30000", "c = 9")
      )
    )
  }

  private def many(rows: Long) = Table(
    "advise_many",
    DataSet(
      "advise-many",
      rows,
      "SELECT pmod(xxhash64(id, 1), 1000000) AS u, pmod(xxhash64(id, 2), 5000) AS v, " +
        "CAST(pmod(xxhash64(id, 3), 100) AS INT) AS c, id AS t, sha2(CAST(id AS STRING), 256) " +
        "AS rest FROM ids",
      files = 1000
    )
  )
}
