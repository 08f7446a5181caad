// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.values

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.Row

import io.sparksieve.report.core.Reason

/**
 * Sums and products that differ in their order only, which Spark's canonical form takes for the same
 * although they have other values; also, which queries with them are rewritten.
 */
class OrderOfSumsSuite extends EqualValuesTest {

  private val Anti = "ReplaceAntiJoinWithNotFilter"
  private val Except = "ReplaceExceptWithNotFilter"
  private val Union = "ReplaceUnionWithFilter"

  test("sums in another order are other columns and other keys") {
    same(Row(0.6000000000000001))(
      "SELECT a + b + c AS s FROM sums EXCEPT SELECT a + (b + c) FROM sums")
    same(Row(0.6000000000000001))(
      "SELECT a + b + c AS s FROM sums EXCEPT ALL SELECT a + (b + c) FROM sums")
    same(Row(6.0), Row(15.0))(
      "SELECT a + b + c AS s FROM sums INTERSECT SELECT a + (b + c) FROM sums")
    same(Row(1, 0.6))(
      "SELECT k, a + (b + c) FROM sums WHERE k = 1 UNION SELECT k, a + (b + c) FROM sums WHERE k = 1")
    // Spark drops a side that it takes for a duplicate of the other.
    asSpark(
      "SELECT k, a + b + c FROM sums WHERE k = 1 UNION SELECT k, a + (b + c) FROM sums WHERE k = 1")
    same(Row(2), Row(3))(
      "SELECT k FROM sums l LEFT SEMI JOIN (SELECT a x, b y, c z FROM sums) r " +
        "ON l.a + l.b + l.c = x + (y + z) AND l.b = y")
    same(Row(2), Row(3))(
      "SELECT k FROM sums WHERE (a + b + c, b) IN (SELECT a + (b + c), b FROM sums)")
  }

  test("conditions in another order are other conditions") {
    val (high, low) = ("a + b + c > 0.6D", "a + (b + c) > 0.6D")
    same(Row(1))(s"SELECT k FROM sums WHERE $high EXCEPT SELECT k FROM sums WHERE $low")
    same(Row(1), Row(2), Row(3))(
      s"SELECT k FROM sums WHERE $high UNION SELECT k FROM sums WHERE $low")
    same(Row(1), Row(1), Row(2), Row(3))(
      s"SELECT k FROM sums WHERE $high UNION ALL SELECT k FROM sums WHERE NOT ($low)")
    same(Row(1))(s"SELECT k FROM sums WHERE $high INTERSECT SELECT k FROM sums WHERE NOT ($low)")
    // The same with all columns that the conditions use in the output.
    val all = "SELECT a, b, c, k FROM sums WHERE"
    // Spark's own rewrite turns this query into a filter that is never TRUE.
    checkAnswer(sql(s"$all $high EXCEPT $all $low"), Seq(Row(0.1, 0.2, 0.3, 1)))
    same(Row(0.1, 0.2, 0.3, 1))(s"$all $high EXCEPT ALL $all $low")
    same(Row(0.1, 0.2, 0.3, 1))(s"$all $high INTERSECT $all NOT ($low)")
    same(Row(1.0, 2.0, 3.0, 2), Row(4.0, 5.0, 6.0, 3))(s"$all $high INTERSECT ALL $all $low")
    // A computed column does not replace the sum in another order.
    same(Row(0.6000000000000001))(
      s"SELECT a + b + c AS s FROM sums EXCEPT SELECT a + b + c AS s FROM sums WHERE $low")
    // One of the orders is hidden in a view's column.
    checkAnswer(
      sql(
        "WITH v AS (SELECT k, a, b, c, a + b AS x FROM sums) " +
          s"SELECT * FROM v WHERE x + c > 0.6D EXCEPT SELECT * FROM v WHERE $low"),
      Seq(Row(1, 0.1, 0.2, 0.3, 0.30000000000000004))
    )
  }

  test("plans below that differ in the order of a sum are other plans") {
    def groups(sum: String) = s"SELECT $sum AS s, count(*) AS n FROM sums GROUP BY $sum"
    same(Row(0.6000000000000001, 1))(
      s"SELECT s, n FROM (${groups("a + b + c")}) EXCEPT SELECT s, n FROM (${groups("a + (b + c)")})")
    def joined(on: String) = s"SELECT l.k FROM sums l JOIN sums r ON $on"
    same(Row(1))(
      joined("l.k = r.k AND l.a + r.b + l.c > 0.6D AND l.k < 2") + " EXCEPT " +
        joined("l.k = r.k AND l.a + (r.b + l.c) > 0.6D AND l.k < 2"))
  }

  test("decimals: products round, so their order counts") {
    val one = "cast(d AS DECIMAL(38, 18)) * cast(e AS DECIMAL(38, 18)) * cast(i AS DECIMAL(38, 18))"
    val other =
      "cast(d AS DECIMAL(38, 18)) * (cast(e AS DECIMAL(38, 18)) * cast(i AS DECIMAL(38, 18)))"
    val (_, entries) = planned(sql(s"SELECT s, $one FROM zeros EXCEPT SELECT s, $other FROM zeros"))
    assert(entries.exists(_.reason.contains(Reason.TakenForSame)), entries)
  }

  test("sums that are written the same way are rewritten still") {
    // Of Parquet these would be declined: its bounds of doubles ignore NaN.
    withTempView("rows") {
      spark
        .createDataFrame(spark.table("sums").collect().toSeq.asJava, spark.table("sums").schema)
        .createOrReplaceTempView("rows")
      assertOneScan(Except)(sql(
        "SELECT k, a + b + c > 1 AS s FROM rows EXCEPT SELECT k, a + b + c > 1 FROM rows WHERE a + b + c > 1"))
      assertOneScan(Union)(sql(
        "SELECT k FROM rows WHERE a + b + c > 1 UNION ALL SELECT k FROM rows WHERE NOT (a + b + c > 1)"))
    }
    assertOneScan(Except)(
      sql("SELECT a * 2D + b FROM t EXCEPT SELECT a * 2D + b FROM t WHERE a * 2D + b > 3"))
    assertOneScan(Anti)(sql(
      "SELECT * FROM t l LEFT ANTI JOIN (SELECT * FROM t WHERE a * 2D + b = 3) r ON l.a * 2D + l.b = r.a * 2D + r.b"))
    // A comparison with swapped operands is the same comparison.
    assertOneScan(Except)(
      sql("SELECT a FROM t WHERE a > 1 EXCEPT SELECT a FROM t WHERE 1 < a AND a < 5"))
  }
}
