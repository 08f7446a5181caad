// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.adaptivefilter

import io.sparksieve.bench.{DataSet, Table}

/**
 * The table of document 003, with a normally distributed date, integer and string in each row; and
 * tables whose predicates differ in cost, drift, or drop the same rows.
 */
final class Data(val rows: Long) {

  /** `number` is N(50000, 15000), `day` N(1000, 300) days after 2015, `name` a number as text. */
  def normal: Table = table(
    "normal",
    """SELECT CAST(50000 + 15000 * randn(1) AS INT) AS number,
      |  date_add(DATE'2015-01-01', CAST(1000 + 300 * randn(2) AS INT)) AS day,
      |  concat('user-', lpad(CAST(CAST(50000 + 15000 * randn(3) AS INT) AS STRING), 6, '0')) AS name
      |FROM ids""".stripMargin
  )

  /** Sixteen integers `n0` to `n15`, each 0 to 99, and a line of text. */
  def wide: Table = table(
    "wide",
    s"""SELECT ${(0 to 15).map(i => s"CAST(rand($i) * 100 AS INT) AS n$i").mkString(", ")},
       |  concat('GET /item/', CAST(rand(20) * 100000 AS INT), '?user=', CAST(rand(21) * 1000 AS INT),
       |    ' HTTP/1.1 ', element_at(array('200', '200', '301', '404', '500'),
       |    CAST(rand(22) * 5 AS INT) + 1)) AS line
       |FROM ids""".stripMargin
  )

  /**
   * `a` and `b` swap their distributions halfway, and so do `s` and `t`: a predicate that drops
   * most rows in one half drops few in the other.
   */
  def drifting: Table = table(
    "drifting",
    s"""SELECT CAST(rand(1) * if(id < $rows / 2, 100, 1000) AS INT) AS a,
       |  CAST(rand(2) * if(id < $rows / 2, 1000, 100) AS INT) AS b,
       |  concat('item-', if(id < $rows / 2, 'x', 'y'), CAST(rand(3) * 1000 AS INT), '-end') AS s,
       |  concat('item-', if(id < $rows / 2, 'y', 'x'), CAST(rand(4) * 1000 AS INT), '-end') AS t
       |FROM ids""".stripMargin
  )

  /** `b` and `c` depend on `a`; `d` is independent of them. */
  def correlated: Table = table(
    "correlated",
    """SELECT concat('k', a) AS a, concat('k', a + e) AS b, concat('k', a - e) AS c,
      |  concat('k', CAST(rand(3) * 1000 AS INT)) AS d
      |FROM (SELECT CAST(rand(1) * 1000 AS INT) AS a, CAST(rand(2) * 5 AS INT) AS e FROM ids) AS i
      |""".stripMargin
  )

  private def table(name: String, sql: String) =
    Table(name, DataSet(s"af-$name", rows, sql, files = 8))
}
