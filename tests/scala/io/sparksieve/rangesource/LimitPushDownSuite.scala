// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.plans.logical.{GlobalLimit, Offset, Sort}
import org.apache.spark.sql.functions.{col, desc}
import org.apache.spark.sql.internal.SQLConf

/** Limits and offsets, with and without an order: what the engine reads, and what Spark keeps. */
class LimitPushDownSuite extends RangeSourceTest {

  private def keys(rows: Seq[Row]): Seq[Int] = rows.map(_.getInt(0))

  test("LIMIT: the engine returns as many records, whatever the partitions") {
    for (t <- Seq(table(), table("partitions" -> 1), table("nested" -> true))) {
      val ran = run(t.select("val").limit(4))
      assert(keys(ran.rows) == (1 to 4))
      assert(ran.counters.generated == 4 && ran.counters.returned == 4)
      assert(!has[GlobalLimit](ran.df), ran.plan)
    }
    val none = table().limit(0)
    assert(run(none).rows.isEmpty)
    val all = run(table().select("val").limit(1000))
    assert(all.rows.size == 50 && all.counters.generated == 50)
  }

  test("LIMIT over filters: of all columns, since squares and cubes grow with the key") {
    val ran = run(table().where("val <= 40 AND squared >= 900 AND cubed <> 32768").limit(4))
    assert(ran.rows == records(Seq(30, 31, 33, 34)))
    assert(ran.counters == Counters(4, 4, 0, 4))
    assert(ran.source.keys == ranges((30, 31), (33, 34)))
    assert(!has[GlobalLimit](ran.df), ran.plan)
    val either = run(table().where("val = 3 OR squared > 2300 OR cubed < 9").limit(4))
    assert(either.rows == records(Seq(1, 2, 3, 48)) && either.counters.generated == 4)
  }

  test("LIMIT over a filter that is left to Spark: nothing is limited before it") {
    val ran = run(table().where("val % 10 = 0 AND val > 5").limit(3))
    assert(ran.rows.size == 3 && keys(ran.rows).forall(_ % 10 == 0))
    assert(has[GlobalLimit](ran.df), ran.plan)
    assert(ran.source.selected.isEmpty && ran.source.keys == ranges((6, 50)))
    val sorted = run(table().where("val % 10 = 0").orderBy(desc("val")).limit(3))
    assert(keys(sorted.rows) == Seq(50, 40, 30))
    assert(sorted.source.selected.isEmpty)
  }

  test("LIMIT, evaluated: each task stops, and Spark limits unless there is but one") {
    val several = run(table("pushdown" -> "evaluate").where("squared >= 900").limit(4))
    assert(several.rows.size == 4 && keys(several.rows).forall(_ >= 30))
    assert(has[GlobalLimit](several.df), several.plan)
    assert(several.source.partitionLimit.contains(4))
    val one =
      run(table("pushdown" -> "evaluate", "partitions" -> 1).where("squared >= 900").limit(4))
    assert(one.rows == records(30 to 33))
    assert(one.counters == Counters(1, 33, 33, 4))
    assert(!has[GlobalLimit](one.df), one.plan)
    val left = run(table("pushdown" -> "none").limit(4))
    assert(left.rows.size == 4 && has[GlobalLimit](left.df), left.plan)
    assert(left.source.partitionLimit.isEmpty && left.source.selected.isEmpty)
  }

  test("ORDER BY LIMIT: the first or the last keys") {
    def top(t: DataFrame, order: String*) =
      run(t.where("val <= 40 AND squared >= 900").orderBy(order.map(toOrder): _*).limit(4))
    for (order <- Seq(Seq("val"), Seq("squared"), Seq("cubed"), Seq("val", "squared desc"))) {
      val ran = top(table(), order: _*)
      assert(ran.rows == records(30 to 33), order)
      assert(ran.counters.generated == 4, order)
    }
    for (order <- Seq(Seq("val desc"), Seq("cubed desc", "val"))) {
      val ran = top(table(), order: _*)
      assert(ran.rows == records(40 to 37 by -1), order)
      assert(ran.source.keys == ranges((37, 40)) && ran.counters.generated == 4, order)
      // The engine returns keys in ascending order only, so Spark keeps its sort.
      assert(has[Sort](ran.df), ran.plan)
      assert(top(table("partitions" -> 1), order: _*).rows == records(40 to 37 by -1))
    }
    val single = top(table("partitions" -> 1), "val")
    assert(single.rows == records(30 to 33) && !has[Sort](single.df), single.plan)
    val nested = run(table("nested" -> true).orderBy(col("data.squared").desc).limit(2))
    assert(keys(nested.rows) == Seq(50, 49) && nested.counters.generated == 2)
  }

  private def toOrder(text: String) =
    if (text.endsWith(" desc")) desc(text.stripSuffix(" desc")) else col(text)

  test("ORDER BY LIMIT of an expression, and evaluated or left to Spark") {
    val computed = run(table().orderBy((col("val") % 7).desc, col("val")).limit(2))
    assert(keys(computed.rows) == Seq(6, 13) && computed.counters.generated == 50)
    for {
      pushdown <- Seq("evaluate", "none")
      partitions <- Seq(1, 9)
    } {
      val t = table("pushdown" -> pushdown, "partitions" -> partitions)
      val up = run(t.where("squared >= 900").orderBy("val").limit(4))
      assert(up.rows == records(30 to 33), s"$pushdown $partitions")
      val down = run(t.where("squared >= 900").orderBy(desc("val")).limit(4))
      assert(down.rows == records(50 to 47 by -1), s"$pushdown $partitions")
      assert(down.source.partitionLimit.isEmpty)
    }
  }

  test("OFFSET, with a LIMIT before, after and without one") {
    for (t <- Seq(
        table(),
        table("partitions" -> 1),
        table("pushdown" -> "evaluate"),
        table("pushdown" -> "evaluate", "partitions" -> 1),
        table("pushdown" -> "none"))) {
      val pushed = t.queryExecution.analyzed.toString.contains("pushdown=push")
      val after = run(t.select("val").orderBy("val").limit(10).offset(3))
      assert(keys(after.rows) == (4 to 10))
      val before = run(t.select("val").orderBy("val").offset(3).limit(10))
      assert(keys(before.rows) == (4 to 13))
      val alone = run(t.select("val").where("squared > 1600").offset(3))
      assert(alone.rows.size == 7)
      val beyond = run(t.select("val").where("val > 45").limit(10).offset(30))
      assert(beyond.rows.isEmpty)
      val plain = run(t.select("val").limit(10).offset(3))
      assert(plain.rows.size == 7)
      if (pushed) {
        assert(keys(alone.rows) == (44 to 50) && alone.counters.generated == 7)
        assert(keys(plain.rows) == (4 to 10) && plain.counters.generated == 7)
        assert(!has[Offset](plain.df) && !has[Offset](alone.df), plain.plan)
      }
    }
  }

  test("limits over limits") {
    for (t <- Seq(table(), table("pushdown" -> "evaluate"), table("partitions" -> 1))) {
      assert(run(t.limit(7).limit(3)).rows.size == 3)
      assert(run(t.limit(20).offset(5).limit(9).offset(4)).rows.size == 5)
      assert(run(t.limit(20).where("val > 10").limit(30)).rows.size <= 20)
      assert(run(t.orderBy(desc("val")).limit(5).orderBy("val").limit(2)).rows == records(46 to 47))
      assert(run(t.orderBy(desc("val")).limit(5).where("val < 48")).rows.size == 2)
    }
  }

  test("a join does not reach below a limit") {
    spark.range(40, 60).selectExpr("cast(id AS INT) AS k").createOrReplaceTempView("dim")
    for {
      t <- Seq(table(), table("pushdown" -> "evaluate"))
      threshold <- Seq("-1", "10MB")
      aqe <- Seq("true", "false")
    } withConf(
      SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe,
      "spark.sieve.dynamicFilter.minScanBytes" -> "0",
      "spark.sieve.dynamicFilter.minScanRatio" -> "0"
    ) {
      t.createOrReplaceTempView("r")
      def joined(order: String) = sql(
        s"SELECT r.val FROM (SELECT val FROM r $order LIMIT 12) r JOIN dim ON r.val = dim.k " +
          "WHERE dim.k % 2 = 0")
      assert(run(joined("ORDER BY val")).rows.isEmpty)
      assert(keys(run(joined("ORDER BY val DESC")).rows).sorted == Seq(40, 42, 44, 46, 48, 50))
    }
  }
}
