// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.dynamicfilter

import io.sparksieve.bench.{Case, CaseGroup, DataSet, QueryCase, Table, Variant}
import io.sparksieve.bench.dynamicfilter.Setup._

/** A fact table in the order of its days with its dimensions; and the employees of a department. */
object Stars extends CaseGroup {

  override def position: Int = 2

  override def cases(rows: Long): Seq[Case] = {
    val tables = Seq(sales(rows), Days, Items)
    Seq(
      QueryCase(
        "star/one-dimension",
        "ten of 1,000 days",
        tables.take(2),
        "SELECT sum(s.amount) AS total FROM sales s JOIN days d ON s.day_key = d.day_key " +
          s"WHERE $Month",
        Rule,
        OpenGate,
        Seq(
          Variant.off(
            "SELECT sum(s.amount) AS total FROM sales s JOIN days d ON s.day_key = d.day_key " +
              s"WHERE $Month AND s.day_key BETWEEN 170 AND 179",
            "by hand"))
      ),
      QueryCase(
        "star/two-dimensions",
        "ten of 1,000 days and a hundred of 10,000 items, both broadcast",
        tables,
        star("", s"$Month AND $Category"),
        Rule,
        OpenGate,
        Seq(
          Variant
            .off(star("", s"$Month AND $Category AND s.day_key BETWEEN 170 AND 179"), "by hand"))
      ),
      QueryCase(
        "star/two-dimensions-shuffled",
        "the same with sort-merge joins",
        tables,
        star("", s"$Month AND $Category"),
        Rule,
        OpenGate ++ SortMerge),
      QueryCase(
        "star/correlated",
        "small sales of a hundred of 10,000 items: the subquery reads those items alone",
        Seq(sales(rows), Items),
        small(),
        Rule,
        OpenGate,
        Seq(
          Variant.off(small(), "bloom filter", BloomFilter),
          Variant.off(small("AND t.item_key % 100 = 17"), "by hand"))
      ),
      QueryCase(
        "employees/admins",
        "the five employees of document 001's department",
        Seq(employees(rows), departments(rows)),
        "SELECT e.name, d.dept FROM employee e JOIN department d ON e.id = d.employee_id " +
          "AND d.dept = 'admin'",
        Rule,
        OpenGate,
        Seq(
          Variant.off(
            "SELECT e.name, d.dept FROM employee e JOIN department d ON e.id = d.employee_id " +
              "AND d.dept = 'admin' AND e.id IN (1001, 1002, 1003, 1004, 1005)",
            "by hand",
            target = Some(1 / 1.3)
          ))
      ),
      QueryCase(
        "employees/of-one-department",
        "the department is the key, and its employees are everywhere: only rows can be dropped",
        Seq(employees(rows), Names),
        "SELECT e.id, e.name FROM employee e JOIN department_name n ON e.department_id = n.id " +
          "WHERE n.name = 'department 17'",
        Rule,
        OpenGate ++ SortMerge,
        noise = true
      )
    )
  }

  private val Month = "d.month = 17"
  private val Category = "i.category = 'c17'"

  private def star(more: String, where: String) =
    s"SELECT i.brand, sum(s.amount) AS total$more FROM sales s " +
      "JOIN days d ON s.day_key = d.day_key JOIN items i ON s.item_key = i.item_key " +
      s"WHERE $where GROUP BY i.brand"

  private def small(more: String = "") =
    "SELECT sum(s.amount) AS total FROM sales s JOIN items i ON s.item_key = i.item_key " +
      s"WHERE $Category AND s.amount < " +
      s"(SELECT 0.2 * avg(t.amount) FROM sales t WHERE t.item_key = i.item_key $more)"

  private def sales(rows: Long) = Table(
    "sales",
    DataSet(
      "sales",
      rows,
      s"""SELECT cast(id DIV ${(rows / 1000).max(1)} AS INT) AS day_key,
         |  cast(pmod(xxhash64(id, 1), 10000) AS INT) AS item_key,
         |  cast(pmod(xxhash64(id, 2), 500) AS INT) AS store_key,
         |  cast(pmod(xxhash64(id, 3), 100000) / 100 AS DECIMAL(7, 2)) AS amount FROM ids
         |""".stripMargin,
      files = 16
    )
  )

  private val Days = Table(
    "days",
    DataSet(
      "days",
      1000,
      "SELECT cast(id AS INT) AS day_key, cast(id DIV 10 AS INT) AS month FROM ids",
      files = 1))

  private val Items = Table(
    "items",
    DataSet(
      "items",
      10000,
      "SELECT cast(id AS INT) AS item_key, concat('c', id % 100) AS category, " +
        "concat('b', id % 300) AS brand FROM ids",
      files = 1)
  )

  private def employees(rows: Long) = Table(
    "employee",
    DataSet(
      "employee",
      rows,
      "SELECT cast(id AS INT) AS id, concat('name ', id) AS name, " +
        "cast(pmod(xxhash64(id), 500) AS INT) AS department_id FROM ids",
      files = 16
    )
  )

  /** `department(employee_id, dept)`: the admins are 1001 to 1005. */
  private def departments(rows: Long) = Table(
    "department",
    DataSet(
      "department",
      (rows / 50).max(2000),
      "SELECT cast(id AS INT) AS employee_id, CASE WHEN id BETWEEN 1001 AND 1005 THEN 'admin' " +
        "ELSE concat('department ', id % 100) END AS dept FROM ids",
      files = 4
    )
  )

  private val Names = Table(
    "department_name",
    DataSet(
      "department-name",
      500,
      "SELECT cast(id AS INT) AS id, concat('department ', id) AS name FROM ids",
      files = 1))
}
