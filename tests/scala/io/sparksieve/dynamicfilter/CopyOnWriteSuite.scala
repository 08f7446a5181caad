// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.connector.catalog.InMemoryRowLevelOperationTableCatalog

import io.sparksieve.conf.SieveConf

/** Operations that replace the groups of rows which their scan has read. */
class CopyOnWriteSuite extends DynamicFilterTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf
      .set("spark.sql.catalog.cow", classOf[InMemoryRowLevelOperationTableCatalog].getName)
    sql("CREATE TABLE kept_parts USING parquet AS SELECT INT(id) AS p FROM range(2)")
    ()
  }

  override def afterAll(): Unit =
    try {
      sql("DROP TABLE IF EXISTS kept_parts")
      ()
    } finally super.afterAll()

  // The rows that stay are a semi-join's, so keys may filter them, but not the scan: what it does
  // not read, it does not replace.
  test("DELETE of what has no partner: the scan is not narrowed by keys of the rows that stay") {
    withTable("cow.t") {
      sql("CREATE TABLE cow.t (id INT, p INT) USING foo PARTITIONED BY (p)")
      sql("INSERT INTO cow.t SELECT INT(id), INT(id % 10) FROM range(100)")
      // Without a filter on the other side, Spark's own dynamic pruning does not do the same.
      withConf(SieveConf.DYNAMIC_FILTER_MIN_TARGET_RATIO.key -> "0") {
        sql("""DELETE FROM cow.t WHERE NOT EXISTS (
          SELECT * FROM kept_parts k WHERE k.p = cow.t.p)""")
      }
      val left = sql("SELECT DISTINCT p FROM cow.t ORDER BY p").collect().map(_.getInt(0)).toSeq
      assert(left == Seq(0, 1))
    }
  }
}
