// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.internal.SQLConf

/**
 * Confs that change between the planning of a query and its run: the scan with keys, which is made
 * when the query runs, must be what the operators above were planned for.
 */
class ChangedConfsSuite extends DynamicFilterTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    for (name <- Seq("fact", "other"))
      spark
        .range(0, 400, 1, 3)
        .selectExpr("id AS l", "CAST(id % 50 AS INT) AS k")
        .write
        .bucketBy(2, "l")
        .saveAsTable(name)
    sql("CREATE TABLE dim USING parquet AS SELECT INT(id) AS k, INT(id % 5) AS g FROM range(50)")
    sql("CREATE TABLE big_orc USING orc AS SELECT * FROM big")
  }

  override def afterAll(): Unit =
    try Seq("fact", "other", "dim", "big_orc").foreach(t => sql(s"DROP TABLE IF EXISTS $t"))
    finally super.afterAll()

  private val buckets = """SELECT /*+ BROADCAST(d), MERGE(o) */ f.l, f.k, o.k AS other FROM fact f
    JOIN dim d ON f.k = d.k JOIN other o ON f.l = o.l WHERE d.g = 1"""

  private val orc = Document.replace("big", "big_orc")

  /** Plans under one value of a conf, and runs under the other. */
  private def check(query: String, conf: String, values: (String, String)): Unit = {
    val (planning, running) = values
    val ran = withConf(conf -> planning) {
      val df = sql(query)
      df.queryExecution.executedPlan
      withConf(conf -> running)(run(df))
    }
    assert(ran.scans.nonEmpty, ran.plan)
    QueryTest.sameRows(off(sql(query)), ran.rows).foreach(d => fail(s"$d\n${ran.plan}"))
  }

  for (adaptive <- Seq("true", "false"))
    test(s"buckets, AQE $adaptive") {
      withConf(
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive,
        SQLConf.AUTO_BUCKETED_SCAN_ENABLED.key -> "false") {
        check(buckets, SQLConf.BUCKETING_ENABLED.key, "true" -> "false")
        check(buckets, SQLConf.BUCKETING_ENABLED.key, "false" -> "true")
      }
    }

  test("batches of columns") {
    withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      for {
        (query, reader) <- Seq(
          Document -> SQLConf.PARQUET_VECTORIZED_READER_ENABLED,
          orc -> SQLConf.ORC_VECTORIZED_READER_ENABLED)
        threshold <- Seq("-1", "10MB")
        (conf, values) <- Seq(
          SQLConf.WHOLESTAGE_CODEGEN_ENABLED -> Seq("true" -> "false", "false" -> "true"),
          SQLConf.WHOLESTAGE_MAX_NUM_FIELDS -> Seq("1" -> "100", "100" -> "1"),
          reader -> Seq("false" -> "true")
        )
        pair <- values
      } withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold)(
        check(query, conf.key, pair))
    }
  }
}
