// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.scan.DynamicScanExec

/** Filters by values of files obey Spark's configs that disable data skipping. */
class SwitchesOfScansSuite extends BulkFilterTest {

  test("a user who switches push-down off has no file or row group skipped") {
    val path = file("few.csv", "3", "9")
    for ((format, switch) <- Seq(
        "parquet" -> SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key,
        "orc" -> SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key)) {
      val rows = folder(s"rows.$format", format, spark.range(0, 1000, 1, 4).toDF("id"))
      withConf(switch -> "false") {
        val (found, plan) = ran(sql(s"SELECT id FROM $format.`$rows` WHERE in_file(id, '$path')"))
        assert(found.map(_.getLong(0)).toSet == Set(3L, 9L))
        collect(plan) { case s: DynamicScanExec => s }.foreach { s =>
          for (metric <- Seq("numRanges", "footersRead", "filesSkipped"))
            assert(s.metrics.get(metric).forall(_.value == 0), s"$metric\n$plan")
        }
      }
    }
  }

  test("no file is skipped beside a random predicate, which would see other rows") {
    val path = file("few.csv", "7", "3", "953")
    val rows = folder("many.parquet", "parquet", spark.range(0, 1000, 1, 8).toDF("id"))
    val beside = Seq("rand(1) < 0.5", "monotonically_increasing_id() % 2 = 0").map { random =>
      s"SELECT id FROM parquet.`$rows` WHERE $random AND in_file(id, '$path')"
    }
    val above =
      s"""SELECT id FROM (SELECT id, monotonically_increasing_id() AS m FROM parquet.`$rows`
      WHERE in_file(id, '$path')) WHERE m > 8589934591"""
    for (query <- beside :+ above) {
      val (found, plan) = ran(sql(query))
      assert(collect(plan) { case s: DynamicScanExec => s }.isEmpty, plan)
      withConf("spark.sieve.bulkFilter.enabled" -> "false") {
        assert(sql(query).collect().toSet == found.toSet)
      }
    }
  }
}
