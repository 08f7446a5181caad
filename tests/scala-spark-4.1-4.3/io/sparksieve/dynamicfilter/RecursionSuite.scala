// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.{QueryTest, Row}

/** Dynamic filters in recursive WITH: Spark analyzes and plans each step of a definition anew. */
class RecursionSuite extends DynamicFilterTest {

  private val joined = Seq(
    "big b JOIN r ON b.k = r.node" -> "TRUE",
    "big b JOIN r ON b.k = r.node JOIN small s ON b.id = s.id" -> "s.dept < 5")

  private def query(hint: String, joins: String, where: String) =
    sql(s"""WITH RECURSIVE r(node, depth) AS (
      SELECT 1, 0 UNION ALL
      SELECT $hint CAST(b.id AS INT) + 1, r.depth + 1 FROM $joins WHERE r.depth < 2 AND $where)
      SELECT * FROM r""")

  /** The rows without Sieve of each join; hints do not change them. */
  private lazy val expected: Map[String, Seq[Row]] =
    joined.map { case (joins, where) => joins -> off(query("", joins, where)) }.toMap

  for {
    hint <- Seq(
      "",
      "/*+ BROADCAST(r) */",
      "/*+ MERGE(r) */",
      "/*+ BROADCAST(s) */",
      "/*+ MERGE(s) */")
    (joins, where) <- joined
    if !hint.contains("(s)") || joins.contains(" s ")
  } test(s"$joins $hint") {
    assert(expected(joins).size > 2)
    def sameRows() = {
      val ran = run(query(hint, joins, where))
      QueryTest.sameRows(expected(joins), ran.rows).foreach(d => fail(s"$d\n${ran.plan}"))
    }
    sameRows()
    shuffled(sameRows())
  }
}
