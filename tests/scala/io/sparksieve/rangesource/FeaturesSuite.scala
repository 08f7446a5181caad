// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.{QueryTest, Row}
import org.apache.spark.sql.catalyst.plans.logical.Join

import io.sparksieve.adaptivefilter.exec.AdaptiveFilter
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/** The other features over this source, which returns the same rows in each read. */
class FeaturesSuite extends RangeSourceTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set("spark.sql.catalog.rangedb", classOf[RangeDbCatalog].getName)
  }

  private val Except = "ReplaceExceptWithNotFilter"

  test("set operations between filtered copies are one scan: of one load, of two, of a catalog") {
    val once = table()
    assertOneScan(Except)(once.where("val < 30").exceptAll(once.where("squared > 100")))
    assertOneScan(Except)(table().where("val < 30").exceptAll(table().where("squared > 100")))
    assertOneScan(Except)(
      sql("SELECT * FROM rangedb.t50 EXCEPT ALL SELECT * FROM rangedb.t50 WHERE val > 3"))
    assertOneScan(Except)(
      spark.table("rangedb.t50").exceptAll(spark.table("rangedb.t50").where("val > 3")))
    val ran = run(once.where("val < 30").exceptAll(once.where("squared > 100")))
    assert(ran.rows.map(_.getInt(0)).sorted == (1 to 10))
    assert(ran.counters.generated == 29, ran.plan)
  }

  test("set operations between different tables are left alone") {
    assertDeclined(Except, Reason.DifferentSource)(
      table().exceptAll(table("rows" -> 40).where("val > 3")))
    assertDeclined(Except, Reason.DifferentSource)(
      sql("SELECT * FROM rangedb.t50 EXCEPT ALL SELECT * FROM rangedb.t40 WHERE val > 3"))
    assertDeclined(Except, Reason.UnsupportedSource)(
      tableV1().exceptAll(tableV1().where("val > 3")))
  }

  test("a semi-join with a filtered copy") {
    table().createOrReplaceTempView("r")
    def query = sql("SELECT val FROM r WHERE val IN (SELECT val FROM r WHERE val < 10)")
    val (plan, entries) = planned(query)
    assert(entries.exists(e => e.rule == "ReplaceSemiJoinWithFilter" && e.reason.isEmpty), entries)
    assert(!plan.exists(_.isInstanceOf[Join]), plan)
    checkAnswer(query, (1 to 9).map(Row(_)))
  }

  test("filters that are left to Spark are evaluated in a learned order") {
    for (t <- Seq(
        table("rows" -> 20000, "pushdown" -> "none"),
        tableV1("rows" -> 20000, "pushdown" -> "none"))) {
      def query =
        t.where("length(sha2(cast(val AS STRING), 512)) = 128 AND val > 9000 AND squared % 7 = 2")
      val ran = run(query)
      assert(collect(ran.plan) { case f: AdaptiveFilter => f }.nonEmpty, ran.plan)
      QueryTest.sameRows(off(query), ran.rows).foreach(fail(_))
    }
  }

  test("cached") {
    val cached = table().where("val > 10").cache()
    try {
      assert(cached.count() == 40 && cached.where("val < 13").count() == 2)
      checkAnswer(table().where("val > 10").where("squared = 144"), records(Seq(12)))
    } finally {
      cached.unpersist(blocking = true)
      ()
    }
  }

  test("the report: what is whose, and after a run what it took, of both interfaces") {
    def rows(query: String) = sql("SELECT * FROM sieve_report(\"" + query + "\")")
      .where("feature = 'rangesource'")
      .select("rule", "outcome", "place", "detail")
      .collect()
      .map(_.toSeq.map(_.toString))
      .toSeq
    withTempView("r", "v1") {
      table().createOrReplaceTempView("r")
      tableV1().createOrReplaceTempView("v1")
      val where = "WHERE val <= 40 AND squared >= 900 AND val % 2 = 0"
      val counted = "9 ranges requested, 40 records generated, 40 evaluated, 11 returned"
      for ((view, format, operator) <- Seq(
          ("r", "rangedb", "RangeDbScan"),
          ("v1", "rangedb-v1", "RangeDbRelation"))) {
        val query = s"SELECT val FROM $view $where"
        assert(
          rows(query).map(_.take(3)) ==
            Seq(Seq("FilterInterpreter", "applied", s"$format of 50 rows")))
        val detail = rows(query).head.last
        assert(detail.startsWith("engine reads [1..40]; engine: "), detail)
        assert(detail.contains("adapter: "), detail)
        assert(sql(query).collect().length == 6)
        assert(
          rows(query).drop(1) == Seq(Seq(operator, "measured", s"$format of 50 rows", counted)))
      }
      sql("SELECT val FROM r").collect()
      withConf(SieveConf.ENABLED.key -> "false") {
        checkAnswer(sql(s"SELECT val FROM r $where"), Seq(30, 32, 34, 36, 38, 40).map(Row(_)))
      }
    }
  }
}
