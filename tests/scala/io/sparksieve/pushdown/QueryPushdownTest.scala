// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

/** Queries over a table with partitions and a small one. */
trait QueryPushdownTest extends PushdownTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("""CREATE TABLE fact USING parquet PARTITIONED BY (p) AS
      SELECT id, CAST(id AS STRING) AS s, id % 10 AS p FROM range(0, 1000, 1, 1)""")
    sql("CREATE TABLE dim USING parquet AS SELECT id, id % 3 AS k FROM range(0, 10, 1, 1)")
  }

  override def afterAll(): Unit =
    try for (t <- Seq("fact", "dim")) sql(s"DROP TABLE IF EXISTS $t")
    finally super.afterAll()
}
