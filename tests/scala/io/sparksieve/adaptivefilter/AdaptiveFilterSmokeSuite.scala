// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.execution.WholeStageCodegenExec
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.exec.{AdaptiveColumnarFilterExec, AdaptiveFilter}
import io.sparksieve.adaptivefilter.learn.FilterStates

/** A short test that filters adapt, run on every supported Spark version. */
class AdaptiveFilterSmokeSuite extends AdaptiveFilterTest {

  for {
    aqe <- Seq("true", "false")
    vectorized <- Seq("true", "false")
  } test(s"a new order is learned: adaptive execution $aqe, batches $vectorized") {
    withConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe,
      SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized) {
      FilterStates.clear()
      val ran = assertAdaptive(sql(Mixed))
      assert(ran.metric("numReorders") > 0, ran.plan)
      assert(
        ran.filters.forall(_.isInstanceOf[AdaptiveColumnarFilterExec] == (vectorized == "true")),
        ran.plan)
      assert(
        collect(ran.plan) { case w: WholeStageCodegenExec => w }
          .exists(_.exists(_.isInstanceOf[AdaptiveFilter])),
        ran.plan)
    }
  }

  test("what may fail keeps behind its guard, and is not evaluated behind a LIMIT") {
    withConf(SQLConf.ANSI_ENABLED.key -> "true") {
      val where = "s RLIKE '^[0-9]+$' AND cast(s AS INT) > 300 AND cpu > 30"
      assertAdaptive(sql(s"SELECT id FROM logs WHERE $where"))
      assertAdaptive(sql(s"SELECT count(*) FROM logs WHERE $where"))
      assertAdaptive(
        sql("SELECT sum(id) FROM (SELECT id FROM logs " +
          "WHERE 100 / (id - 19999) <= 0 AND s LIKE '%7' AND cpu > 30 LIMIT 5)"))
    }
  }

  test("a cached table, and rows of an aggregation") {
    val cached = sql("SELECT id, cpu, hour, d FROM logs").cache()
    try assertAdaptive(cached.where("cpu > 30 AND hour > 7 AND d > 2"))
    finally cached.unpersist(blocking = true)
    assertAdaptive(
      sql("SELECT hour, max(s) FROM logs GROUP BY hour HAVING max(s) LIKE '%o%' AND min(s) < '9'"))
  }
}
