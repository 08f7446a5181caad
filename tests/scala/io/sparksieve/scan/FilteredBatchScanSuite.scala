// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.connector.catalog.InMemoryTableCatalog
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.dynamicfilter.ScanTest

/** Runtime filters of DSv2 sources; the source of this suite filters its partitions. */
class FilteredBatchScanSuite extends ScanTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set("spark.sql.catalog.keyscat", classOf[InMemoryTableCatalog].getName)
    sql("CREATE TABLE keyscat.t (id INT, p INT, s STRING) USING foo PARTITIONED BY (p)")
    sql("INSERT INTO keyscat.t SELECT int(id), int(id % 10), string(id) FROM range(100)")
    sql("CREATE TABLE keyscat.u (id INT, s STRING) USING foo PARTITIONED BY (s)")
    sql("INSERT INTO keyscat.u SELECT int(id), string(id % 10) FROM range(100)")
  }

  override def afterAll(): Unit =
    try Seq("t", "u").foreach(t => sql(s"DROP TABLE IF EXISTS keyscat.$t"))
    finally super.afterAll()

  test("the source gets the keys and reads fewer partitions; the visible scan counts") {
    val result =
      checked(spark.table("keyscat.t"), "p" -> longs(3L, 7L, 1L << 40))(r => Set(3, 7)(r.getInt(1)))
    assert(result.rows.size == 20)
    assert(result.visible("numOutputRows") == 20)
    assert(result.metric("numRanges") == 2)
    assert(result.scan.child.asInstanceOf[BatchScanExec].runtimeFilters.isEmpty)
    assert(result.scan.outputPartitioning == result.scan.child.outputPartitioning)
  }

  test("strings") {
    val set = keySet(StringType, UTF8String.fromString("4"), UTF8String.fromString("x"))
    val result =
      checked(spark.table("keyscat.u"), "s" -> keys(StringType, set))(r => r.getString(1) == "4")
    assert(result.rows.size == 10)
  }

  test("strings that are no valid UTF-8, and Spark's switch") {
    val invalid = UTF8String.fromBytes(Array(0xff.toByte))
    val set = keySet(StringType, UTF8String.fromString("4"), invalid)
    val result = scanned(spark.table("keyscat.u"), "s" -> keys(StringType, set))
    assert(result.rows.size == 100 && result.metric("numRanges") == 0)
    withSQLConf(SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key -> "false") {
      val off = scanned(spark.table("keyscat.t"), "p" -> longs(3L))
      assert(off.rows.size == 100 && off.metric("numRanges") == 0)
    }
  }

  test("no keys, keys given up, and too many keys") {
    assert(scanned(spark.table("keyscat.t"), "p" -> longs()).rows.isEmpty)
    assert(scanned(spark.table("keyscat.t"), "p" -> gaveUp(LongType)).rows.size == 100)
    val many = (0L to FilteredBatchScan.MaxKeys.toLong).map(_ * 2)
    val result = scanned(spark.table("keyscat.t"), "p" -> longs(many: _*))
    assert(result.rows.size == 100 && result.metric("numRanges") == 0)
  }

  test("columns that the source does not filter by are left alone") {
    val result = scanned(spark.table("keyscat.t"), "id" -> longs(5L))
    assert(result.rows.size == 100 && result.metric("numRanges") == 0)
  }
}
