// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.values

import org.apache.spark.SparkConf
import org.apache.spark.sql.Row
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.setop.SetOpTest

/**
 * Tables of values that look the same, and ways to compare rows by what they look like. Where Spark
 * is right, the rows are compared with rows worked out by hand.
 */
private[values] trait EqualValuesTest extends SetOpTest {

  // With exchange reuse, Spark alone takes the shuffle of one sum for that of another.
  override protected def sparkConf: SparkConf =
    super.sparkConf.set(SQLConf.EXCHANGE_REUSE_ENABLED.key, "false")

  override def beforeAll(): Unit = {
    super.beforeAll()
    // In the first row, (a + b) + c is 0.6000000000000001, but a + (b + c) is 0.6.
    sql("""CREATE TABLE sums USING parquet AS SELECT /*+ COALESCE(1) */ * FROM VALUES
      (0.1D, 0.2D, 0.3D, 1), (1.0D, 2.0D, 3.0D, 2), (4.0D, 5.0D, 6.0D, 3) AS sums(a, b, c, k)""")
    sql("""CREATE TABLE zeros USING parquet AS SELECT /*+ COALESCE(1) */ * FROM VALUES
      ('0.0', 1, 0.0D, 0.0D), ('-0.0', -1, -0.0D, 0.0D), ('1.5', 2, 1.5D, 1.5D)
      AS zeros(s, i, d, e)""")
    sql("CREATE TABLE minus USING parquet AS SELECT -0.0D AS d, 1 AS k")
    if (collations) {
      sql("CREATE TABLE padded (c STRING COLLATE UTF8_BINARY_RTRIM, b INT) USING parquet")
      sql("INSERT INTO padded VALUES ('a', 1), ('a ', 2), ('b', 3), ('b  ', 4)")
      sql("CREATE TABLE words USING parquet AS SELECT * FROM VALUES ('a'), ('A'), ('b') AS w(s)")
    }
  }

  override def afterAll(): Unit =
    try {
      for (table <- Seq("sums", "zeros", "minus", "padded", "words"))
        sql(s"DROP TABLE IF EXISTS $table")
    } finally super.afterAll()

  /** Asserts that the query returns `rows`, with Sieve and without. */
  protected def same(rows: Row*)(query: String): Unit = {
    withClue(s"$query, Spark's own: ")(assert(texts(off(sql(query))) == texts(rows)))
    withClue(s"$query: ")(assert(texts(sql(query).collect().toSeq) == texts(rows)))
  }

  /** Asserts that Sieve returns Spark's rows, which Spark's own rules make wrong here. */
  protected def asSpark(query: String): Unit =
    withClue(s"$query: ")(assert(texts(sql(query).collect().toSeq) == texts(off(sql(query)))))

  /** The rows as text, so that the signs of zeros count. */
  protected def texts(rows: Seq[Row]) = rows.map(_.toString).sorted
}
