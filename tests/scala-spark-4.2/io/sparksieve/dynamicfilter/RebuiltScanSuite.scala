// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.iceberg.spark.source.LikeIceberg

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.types._

import io.sparksieve.conf.SieveConf
import io.sparksieve.scan.DynamicScanExec
import io.sparksieve.scan.rebuilt.RebuiltScan

/** When the scan of a lake table is built anew with the keys, and when the planned scan runs. */
class RebuiltScanSuite extends ScanTest with AdaptiveSparkPlanHelper {

  private def OwnName = "00007-0-01234567-89ab-cdef-0123-456789abcdef-0-00001.parquet"

  private def table(options: (String, String)*): DataFrame =
    spark.read.format(classOf[LikeIceberg].getName).options(options.toMap).load()

  private def assertRebuilt(query: DataFrame, kept: Int, of: Int = 10): Unit = {
    val result = checked(query, "id" -> longs(3L, 7L, 42L))(r => Set(3L, 7L, 42L)(r.getLong(0)))
    assert(result.metric("filesBefore") == of)
    assert(result.metric("filesBefore") - result.metric("filesSkipped") == kept)
    assert(result.metric("numRanges") == 3)
  }

  private def assertPlanned(query: DataFrame): Unit = {
    val result = checked(query, "id" -> longs(3L, 7L))(r => Set(3L, 7L)(r.getLong(0)))
    assert(result.metric("filesBefore") == 0 && result.metric("numRanges") == 0)
    assert(result.rows.size == off(query).length)
  }

  test("files without keys are skipped, and the visible scan counts the rows") {
    assertRebuilt(table(), kept = 2)
    val result = scanned(table(), "id" -> longs(3L))
    assert(result.rows.size == 10 && result.visible("numOutputRows") == 10)
  }

  test("a scan with filters is built anew with these, also if no filter is left in the plan") {
    assertRebuilt(table().where("id >= 10"), kept = 1, of = 9)
    assertRebuilt(table().where("n >= 40"), kept = 1, of = 6)
    assertRebuilt(table().where("id >= 0 AND n <= 39 AND length(string(n)) > 0"), kept = 1, of = 4)
  }

  test("columns that are not read, and filters in another case") {
    assertRebuilt(table().where("N >= 40").select("id"), kept = 1, of = 6)
  }

  test("no key reads no file, and many keys are a few ranges") {
    val none = scanned(table(), "id" -> longs())
    assert(none.rows.isEmpty && none.metric("filesSkipped") == 10)
    val many = scanned(table(), "id" -> longs((20L to 55L): _*))
    assert(many.metric("numRanges") == 1 && many.metric("filesSkipped") == 6)
  }

  test("if the source reads something else now, the planned scan runs") {
    assertPlanned(table("moving" -> "true"))
  }

  for ((option, value, why) <- Seq(
      ("renamed", "id", "its schema has changed"),
      ("old-snapshot", "true", "an earlier snapshot is read"),
      ("racing", "9", "a scan with the keys reads a later snapshot"),
      ("racing", "8", "a scan with the keys reads another column of the same name"),
      ("deletes", "true", "there are equality deletes"),
      ("imported", "true", "its files may have been written by others"),
      ("file", s"/elsewhere/$OwnName", "a file lies elsewhere"),
      ("file", s"/t/data2/$OwnName", "a file lies beside the data"),
      ("file", "/t/data/part-00000-01234567-89ab-c000.parquet", "others have named a file"),
      ("type", "UUID", "the column has another type in the table"),
      ("retyped", "true", "the column had another type"),
      ("default", "5", "the column has an initial default")
    ))
    test(s"the planned scan runs, for $why") {
      assertPlanned(table(option -> value))
    }

  test("a column that is filtered by has another name now") {
    assertPlanned(table("renamed" -> "n").where("n >= 0").select("id"))
    assertPlanned(table("renamed" -> "n").where("n >= 0"))
    assertRebuilt(table("renamed" -> "n"), kept = 2)
  }

  test("files where a property says") {
    assertRebuilt(table("elsewhere" -> "true", "file" -> s"/other/b1/$OwnName"), kept = 2)
    assertRebuilt(table("elsewhere" -> "true", "file" -> s"/t/data/p=3/$OwnName"), kept = 2)
  }

  test("negative keys of a partitioned table") {
    for (keys <- Seq(longs(-3L, 3L), manyLongs(-3L, 3L))) {
      def skipped(options: (String, String)*) =
        scanned(table(options: _*), "id" -> keys).metric("filesSkipped")
      assert(skipped() == 9 && skipped("partitioned" -> "true") == 0)
    }
    assertRebuilt(table("partitioned" -> "true"), kept = 2)
  }

  test("types whose values in files of others may differ from those that are read") {
    for (t <- Seq(StringType, TimestampType, TimestampNTZType, DoubleType, DecimalType(9, 2)))
      assert(!RebuiltScan.supports(t), t)
    for (t <- Seq(IntegerType, LongType, DateType)) assert(RebuiltScan.supports(t), t)
  }

  test("a scan that cannot be built") {
    assertPlanned(table("fails" -> "true"))
  }

  test("the config that switches this on") {
    withSQLConf(SieveConf.DYNAMIC_FILTER_REBUILD_SCANS.key -> "false")(assertPlanned(table()))
  }

  test("a scan that reports groups stays as planned") {
    withSQLConf("spark.sql.sources.v2.bucketing.enabled" -> "true") {
      assertPlanned(table("grouped" -> "true"))
    }
  }

  test("the places of a plan that read one relation have their own filters") {
    val all = table()
    assertEachBuilt(all.where("n >= 40").union(all.where("n <= 49")))
    all.createOrReplaceTempView("shared")
    assertEachBuilt(spark.sql("""WITH c AS (SELECT * FROM shared)
      SELECT * FROM c WHERE n >= 40 UNION ALL SELECT * FROM c WHERE n <= 49"""))
  }

  private def assertEachBuilt(rows: DataFrame): Unit = {
    val keys = spark.range(0, 100, 7).where("id % 5 = 0").toDF("k")
    val joined = rows.join(keys, rows("id") === col("k"))
    val expected = off(joined).map(_.getLong(0)).toSet
    assert(expected == (0L until 100L by 35).toSet, "off")
    assert(joined.collect().map(_.getLong(0)).toSet == expected, joined.queryExecution.executedPlan)
    val plan = joined.queryExecution.executedPlan
    val scans = collect(plan) { case scan: DynamicScanExec => scan }
    // Both are built anew: the files without keys are counted of those that the filters leave.
    assert(scans.map(_.metrics("filesBefore").value).toSet == Set(6L, 5L), plan)
  }

  private def col(name: String) = org.apache.spark.sql.functions.col(name)
}
