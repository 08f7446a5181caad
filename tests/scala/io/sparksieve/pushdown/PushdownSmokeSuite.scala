// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.functions.col

/** A short test of the report on scans on every Spark line: one query of each kind. */
class PushdownSmokeSuite extends PushdownTest {

  for {
    (format, layer) <- Seq(
      "parquet" -> "pushed",
      "orc" -> "pushed",
      "csv" -> "evaluated",
      "json" -> "evaluated")
    api <- Seq(1, 2)
  } test(s"$format, API $api") {
    withFiles(format, columns, api, Seq("p")) { t =>
      assertSaid(t.where("p = 1 AND a > 1 AND upper(s) = 'X'"))(
        "p = 1L: skipped",
        s"a > 1: $layer, spark",
        s"s IS NOT NULL: $layer, spark",
        "upper(s) = 'X': spark computed")
    }
  }

  test("a cached table, and rows in memory") {
    val t = columns.cache()
    try assertSaid(t.where("a > 1"))("a > 1: skipped, spark")
    finally {
      t.unpersist()
      ()
    }
    assertSaid(spark.range(9).where(col("id") > 3).toDF())("id > 3L: spark takes-none")
  }

  test("the report after a run") {
    withTable("t") {
      columns.write.saveAsTable("t")
      val query = "SELECT a FROM t WHERE a < 10 AND upper(s) <> '3'"
      sql(query).collect()
      val said =
        sql(s"""SELECT * FROM sieve_report("$query") WHERE feature = 'pushdown'""").collect()
      assert(said.last.getAs[String]("detail") == "100 rows read, 9 kept")
      val typed = sql(s"""SELECT DISTINCT rows_read, rows_kept FROM sieve_scans("$query")""").head()
      assert((typed.getLong(0), typed.getLong(1)) == ((100L, 9L)))
    }
  }
}
