// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.exec.DynamicKeys
import io.sparksieve.dynamicfilter.optimize.FilterProvenance

/** Keys of a shuffle in a stage whose broadcast joins drop most rows anyway. */
class WorthCollectingSuite extends DynamicFilterTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE mid USING parquet AS SELECT INT(id) AS k, id % 10 AS tag FROM range(2000)")
    sql("CREATE TABLE pairs USING parquet AS SELECT id - id % 20 AS id, dept FROM small")
  }

  override def afterAll(): Unit =
    try Seq("mid", "pairs").foreach(t => sql(s"DROP TABLE IF EXISTS $t"))
    finally super.afterAll()

  /** `big` and `mid` are shuffled; `lower` is broadcast, and keeps 10 of 1,000 ids. */
  private def star(
      lower: String = "small",
      join: String = "JOIN",
      where: String = "WHERE dept = 7"): String =
    s"""SELECT b.s, m.tag FROM
      (SELECT /*+ BROADCAST(s) */ b.s, b.k FROM big b $join (SELECT * FROM $lower $where) s
        ON b.id = s.id) b
      JOIN mid m ON b.k = m.k WHERE m.tag > 4"""

  /** Runs the query with a ratio by which keys are worth it if one row in ten is left. */
  private def ran(query: String): Ran = {
    def bytes(table: String) =
      spark.table(table).queryExecution.optimizedPlan.stats.sizeInBytes.toDouble
    val ratio = bytes("big") / bytes("mid") / 10
    shuffled(withConf(SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key -> ratio.toString) {
      assertFiltered(sql(query))
    })
  }

  /** Whether the keys of `mid` were collected. */
  private def collected(ran: Ran): Boolean = {
    val shuffles = ran.filters.filter(_.learnedFrom.kind == FilterProvenance.Shuffle)
    assert(shuffles.length == 1, ran.plan)
    shuffles.head.source.isInstanceOf[DynamicKeys]
  }

  test("keys that would drop few rows more are not collected") {
    Seq(star(), star(join = "LEFT SEMI JOIN")).foreach { query =>
      val without = ran(query)
      assert(!collected(without), without.plan)
      // No job collects them, and rows are dropped by the broadcast's keys alone.
      assert(without.kinds.toSet == Set(FilterProvenance.Shuffle, FilterProvenance.Broadcast))
      assert(without.rowsOut == 10, without.plan)
      assert(
        without.plan.toString.contains("IN keys of m.k (shuffle), not collected"),
        without.plan)
      val said = without.filters.flatMap(_.measurements).map(_.detail)
      assert(
        said.exists(
          _.contains("nothing was filtered: its stage's broadcast joins keep about 1.0 %")),
        said)
    }
  }

  test("keys are collected if many rows are left") {
    val queries = Seq(
      star(where = "WHERE dept < 70"),
      star(join = "LEFT JOIN"),
      // A key that is there twice does not tell how many keys there were before.
      star(lower = "pairs"),
      star(lower = "(SELECT * FROM small UNION ALL SELECT id + 1, dept, s FROM small)"),
      star(lower = "(SELECT id, max(dept) AS dept FROM small GROUP BY id)")
    )
    queries.foreach { query =>
      val found = ran(query)
      assert(collected(found), s"$query\n${found.plan}")
    }
  }

  test("keys are collected without adaptive execution, which knows no rows in advance") {
    withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      assert(collected(ran(star())))
    }
  }

  test("keys of a broadcast drop rows before those of a shuffle do") {
    for (aqe <- Seq("true", "false"))
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe) {
        val both = shuffled(assertFiltered(sql(star())))
        assert(both.kinds == Seq(FilterProvenance.Shuffle, FilterProvenance.Broadcast), both.plan)
        assert(both.filters.head.metrics("numInputRows").value == 10, both.plan)
      }
  }
}
