// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf

/** How many rows the scans of a run read and keep, and which scans those are. */
class RowsOfRunSuite extends QueryPushdownTest {

  for (adaptive <- Seq("true", "false"))
    test(s"rows of a run: read and kept, adaptive execution $adaptive") {
      withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
        val query = s"SELECT s, $adaptive FROM fact WHERE id < 100 AND p = 3 AND upper(s) LIKE '%3'"
        assert(counted(query) == Seq((null, null)))
        assert(sql(query).collect().length == 10)
        assert(counted(query) == Seq((100L, 10L)))
        val report = sql(s"""SELECT * FROM sieve_report("$query")""").collect().last
        assert(
          report.toSeq.drop(1) == Seq(
            "pushdown",
            "parquet",
            "measured",
            null,
            "spark_catalog.default.fact",
            "100 rows read, 10 kept"))
        val joined =
          "SELECT count(*) FROM fact JOIN dim ON fact.id = dim.id WHERE k = 1 AND s > '5'"
        withSQLConf(SieveConf.DYNAMIC_FILTER_ENABLED.key -> "false") {
          sql(joined).collect()
          assert(counted(joined) == Seq((1000L, 554L), (10L, 3L)))
        }
        sql(joined).collect()
        // Of the keys 1, 4 and 7, only 7 satisfies s > '5'.
        assert(counted(joined).map(_._2) == Seq(1L, 3L))
        // After the run it is known that the scan skips by the keys.
        val layers =
          s"""SELECT layers FROM sieve_scans("$joined") WHERE predicate LIKE '%keys of%'"""
        assert(sql(layers).collect().map(_.getString(0)).toSeq == Seq("skipped, spark"))
        val all = "SELECT count(*) FROM fact WHERE p > 8"
        sql(all).collect()
        assert(counted(all) == Seq((100L, 100L)))
      }
    }

  /** Rows read and kept: the distinct pairs over all predicates. */
  private def counted(query: String): Seq[(Any, Any)] =
    sql(s"""SELECT rows_read, rows_kept FROM sieve_scans("$query")""")
      .collect()
      .map(r => (r.get(0), r.get(1)))
      .toSeq
      .distinct

  test("a copy of a join's side that nobody has run is no scan of its own") {
    withSQLConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "true",
      SieveConf.DYNAMIC_FILTER_ENABLED.key -> "false") {
      val query = sql("SELECT * FROM fact JOIN dim ON p = dim.id WHERE k = 1")
      // Spark plans the keys of the partitions, and collects them only when the scan runs.
      val plan = query.queryExecution.executedPlan
        .asInstanceOf[AdaptiveSparkPlanExec]
        .finalPhysicalPlan
      val copies = for {
        scan <- FilteredScan.in(plan)
        keys <- scan.scan.subqueries.flatMap(_.children)
      } yield keys
      assert(copies.size == 1 && copies.forall(_.isInstanceOf[AdaptiveSparkPlanExec]), plan)
      assert(FilteredScan.in(plan).size == 2, plan)
    }
  }

  test("each scan gets its own rows of a run, in whatever order the run had them") {
    withSQLConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false",
      SieveConf.DYNAMIC_FILTER_ENABLED.key -> "false") {
      val query = sql("SELECT * FROM fact JOIN dim ON fact.id = dim.id WHERE k = 1 AND s > '5'")
      query.collect()
      val plan = query.queryExecution.executedPlan
      val found = FilteredScan.in(plan)
      val assigned = RowsOfRun.assign(found, RowsOfRun.of(plan).reverse)
      assert(assigned.map(_._2.map(_.rows.read)) == Seq(Some(1000L), Some(10L)))
    }
  }

  test("rows of the last run, also with Sieve off, and what was measured before stays") {
    val query = "SELECT * FROM fact WHERE id < 40 AND upper(s) > '2'"
    sql(query).collect()
    val first = counted(query)
    assert(first == Seq((1000L, 27L)))
    withSQLConf(SieveConf.ENABLED.key -> "false") {
      sql(query).limit(1).collect()
      sql(query).collect()
    }
    assert(counted(query) == first)
  }

  test("cached tables count rows too") {
    sql("CACHE TABLE few AS SELECT id, s FROM fact WHERE id < 50")
    try {
      val query = "SELECT * FROM few WHERE s = '7'"
      sql(query).collect()
      assert(counted(query) == Seq((50L, 1L)))
    } finally sql("UNCACHE TABLE few")
  }
}
