// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.internal.SQLConf

/** Predicates that can fail are never evaluated for a row for which Spark would not do so. */
class GuardsSuite extends AdaptiveFilterTest {

  private val guarded = Seq(
    "s RLIKE '^[0-9]+$' AND cast(s AS INT) > 300 AND cpu > 30",
    "cpu > 30 AND d <> 0 AND 10 / d > 1 AND s LIKE '%7'",
    "d <> 0 AND hour > 3 AND 100 % d = 0 AND s <> 'word'",
    "s <> 'word' AND length(s) > 0 AND cast(s AS INT) % 7 = 1 AND day > DATE'2020-02-01'",
    "memory IS NOT NULL AND s <> 'word' AND cast(s AS INT) > memory AND upper(s) < '9'"
  )

  for {
    where <- guarded
    vectorized <- Seq("true", "false")
    codegen <- Seq("true", "false")
  } test(s"$where: batches $vectorized, code $codegen") {
    withConf(
      SQLConf.ANSI_ENABLED.key -> "true",
      SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized,
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> codegen) {
      assertGuarded(where)
    }
  }

  test("without its guard the predicate fails, with Sieve as without") {
    assertCastFails("cpu > 30 AND s LIKE '%' AND cast(s AS INT) > 300")
  }

  for {
    vectorized <- Seq("true", "false")
    // Spark does not run generated code with longer methods.
    longest <- Seq("65535", "10")
  }
    test(
      s"rows behind a LIMIT are not evaluated: batches $vectorized, methods up to $longest bytes") {
      withConf(
        SQLConf.ANSI_ENABLED.key -> "true",
        SQLConf.WHOLESTAGE_HUGE_METHOD_LIMIT.key -> longest,
        SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized) {
        withTable("late") {
          // The predicate fails at row 1,005.
          spark
            .range(0, 5000, 1, 1)
            .selectExpr("cast(1005 - id AS INT) AS d", "id", "cast(id AS STRING) AS s")
            .write
            .saveAsTable("late")
          val where = "1000 / d > 0 AND s LIKE '%5%' AND id >= 0"
          for (query <- Seq(
              s"SELECT id FROM late WHERE $where LIMIT 3",
              s"SELECT count(*) FROM (SELECT id FROM late WHERE $where LIMIT 3)",
              s"SELECT sum(id) FROM (SELECT id FROM late WHERE $where LIMIT 200)"
            )) {
            val ran = assertAdaptive(sql(query))
            assert(ran.rows.nonEmpty)
          }
          intercept[Exception](sql(s"SELECT sum(id) FROM late WHERE $where").collect())
        }
      }
    }

  test("random predicates see the rows that they would see as written") {
    for (vectorized <- Seq("true", "false"))
      withConf(SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized) {
        assertAdaptive(
          sql("SELECT id FROM logs WHERE s LIKE '%7' AND hour > 3 AND cpu > 30 AND d > 0 " +
            "AND rand(7) < 0.5 AND upper(s) > '1'"))
      }
  }
}
