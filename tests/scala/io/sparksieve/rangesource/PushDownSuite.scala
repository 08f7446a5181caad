// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.plans.logical.Aggregate
import org.apache.spark.sql.connector.expressions.aggregate.{Aggregation, CountStar}
import org.apache.spark.sql.execution.SortExec
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.functions.{col, count, desc, lit, max, min, sum}
import org.apache.spark.sql.internal.SQLConf

/** Aggregates, columns and orders: what the engine reads, and which operators Spark keeps. */
class PushDownSuite extends RangeSourceTest {

  private def pushed(df: DataFrame): Seq[RangeDbAggregate] =
    df.queryExecution.optimizedPlan.collect { case r: DataSourceV2ScanRelation => r.scan }.collect {
      case a: RangeDbAggregate => a
    }

  test("COUNT, MIN and MAX need no record") {
    def all(t: DataFrame, prefix: String) = t.agg(
      count(lit(1)),
      count("val"),
      min("val"),
      max("val"),
      min(s"${prefix}squared"),
      max(s"${prefix}cubed"))
    for ((nested, prefix) <- Seq(false -> "", true -> "data.")) {
      val t = table("nested" -> nested)
      val df = all(t.where(s"val <= 40 AND ${prefix}squared >= 900"), prefix)
      assert(run(df).rows == Seq(Row(11L, 11L, 30, 40, 900L, 64000L)), nested)
      assert(pushed(df).map(_.keys) == Seq(ranges((30, 40))) && !has[Aggregate](df))
      val none = all(t.where("val > 40 AND val < 30"), prefix)
      assert(run(none).rows == Seq(Row(0L, 0L, null, null, null, null)), nested)
    }
    val empty = all(table("rows" -> 0), "")
    assert(run(empty).rows == Seq(Row(0L, 0L, null, null, null, null)))
    val distinct = table().selectExpr("count(DISTINCT val)", "count(DISTINCT squared)")
    assert(run(distinct).rows == Seq(Row(50L, 50L)))
    val wide = all(table("rows" -> 100000000), "")
    assert(
      run(wide).rows == Seq(
        Row(
          100000000L,
          100000000L,
          1,
          100000000,
          1L,
          new java.math.BigDecimal("1E+24")
            .setScale(0))))
    assert(pushed(wide).nonEmpty)
  }

  // Spark currently removes limits and offsets of one row itself; the test calls the builder.
  test("nothing is pushed after an aggregate") {
    val builder = new RangeDbScanBuilder(RangeDbOptions(50, 1, Pushdown.Push, nested = false))
    assert(builder.pushAggregation(new Aggregation(Array(new CountStar), Array.empty)))
    assert(!builder.pushLimit(1) && !builder.pushOffset(1))
  }

  test("aggregates that are computed by Spark") {
    val sums = run(table().where("val <= 40").agg(sum("val"), max("val")))
    assert(sums.rows == Seq(Row(820L, 40)) && sums.counters.generated == 40)
    val groups = run(table().groupBy((col("val") % 2).as("k")).agg(count(lit(1))))
    assert(groups.rows.toSet == Set(Row(0, 25L), Row(1, 25L)))
    val keyed = run(table().groupBy("val").agg(max("squared")))
    assert(keyed.rows.size == 50)
    val residual = run(table().where("val % 10 = 0").agg(count(lit(1)), max("val")))
    assert(residual.rows == Seq(Row(5L, 50)))
    val limited = run(table().limit(7).agg(count(lit(1)), max("val")))
    assert(limited.rows == Seq(Row(7L, 7)) && limited.counters.generated == 7)
    val computed = run(table().agg(max(col("val") + 1)))
    assert(computed.rows == Seq(Row(51)))
    for (pushdown <- Seq("evaluate", "none")) {
      val ran = run(table("pushdown" -> pushdown).where("val > 20").agg(count(lit(1)), min("val")))
      assert(ran.rows == Seq(Row(30L, 21)), pushdown)
      assert(ran.counters.generated == 50, pushdown)
    }
    assert(run(table().agg(max("val")).limit(1)).rows == Seq(Row(50)))
    assert(run(table().agg(max("val")).limit(0)).rows.isEmpty)
    assert(run(table().agg(max("val").as("m")).where("m < 50")).rows.isEmpty)
    assert(run(table().agg(count(lit(1)).as("m")).offset(1)).rows.isEmpty)
  }

  test("columns come as required, and none is computed in vain") {
    assert(
      run(table().select("cubed", "val")).source.schema.fieldNames.toSeq == Seq("val", "cubed"))
    val none = run(table().where("val > 10 AND val % 2 = 0").selectExpr("1"))
    assert(none.rows.size == 20 && none.columns == Seq("val"))
    val nothing = run(table().where("val > 10 AND squared < 400").selectExpr("1"))
    assert(nothing.rows.size == 9 && nothing.columns.isEmpty)
    val nested = run(table("nested" -> true).selectExpr("data", "data.cubed").limit(2))
    assert(nested.rows == Seq(Row(Row(1L, 1L), 1L), Row(Row(4L, 8L), 8L)))
    withConf(SQLConf.NESTED_SCHEMA_PRUNING_ENABLED.key -> "false") {
      val whole = run(table("nested" -> true).selectExpr("data.cubed").limit(2))
      assert(whole.rows == Seq(Row(1L), Row(8L)))
    }
    val wide = run(table("rows" -> 3000000).where("val >= 2999999").select("cubed", "val"))
    def cube(k: Int) = new java.math.BigDecimal(BigInt(k).pow(3).bigInteger)
    assert(wide.rows == Seq(Row(cube(2999999), 2999999), Row(cube(3000000), 3000000)))
  }

  test("rows are sorted within a task, and Spark knows") {
    val ran = run(table().sortWithinPartitions("val"))
    assert(collect(ran.plan) { case s: SortExec => s }.isEmpty, ran.plan)
    val squares = run(table().select("squared").sortWithinPartitions("squared"))
    assert(collect(squares.plan) { case s: SortExec => s }.isEmpty, squares.plan)
    val down = run(table().sortWithinPartitions(desc("val")))
    assert(collect(down.plan) { case s: SortExec => s }.nonEmpty, down.plan)
  }

  test("Spark knows how many rows there are") {
    def rows(df: DataFrame) = {
      val plan = df.queryExecution.optimizedPlan
      plan.collectFirst { case r: DataSourceV2ScanRelation => r.stats.rowCount }.flatten.get
    }
    assert(rows(table()) == 50)
    assert(rows(table().where("val <= 40 AND squared >= 900")) == 11)
    assert(rows(table().where("val <= 40 AND val % 2 = 0")) == 40)
    assert(rows(table().limit(3)) == 3)
    assert(rows(table("pushdown" -> "none").where("val <= 40")) == 50)
  }

  test("two loads are one: an exchange is reused; not if anything differs that was pushed") {
    withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1") {
      def grouped(t: DataFrame) = t.groupBy((col("val") % 3).as("k")).agg(sum("squared").as("s"))
      def reused(left: DataFrame, right: DataFrame) = {
        val ran = run(grouped(left).as("a").join(grouped(right).as("b"), "k"))
        assert(ran.rows.size == 3)
        collectWithSubqueries(ran.plan) { case r: ReusedExchangeExec => r }.size
      }
      assert(reused(table(), table()) == 1)
      assert(reused(table().where("val < 30"), table().where("val < 30")) == 1)
      assert(reused(table().where("val < 30"), table().where("val < 31")) == 0)
      assert(reused(table().where("squared < 900"), table().where("squared < 901")) == 0)
      assert(reused(table().limit(20), table().limit(21)) == 0)
      assert(reused(table(), table("partitions" -> 8)) == 0)
      assert(reused(table(), table("pushdown" -> "evaluate")) == 0)
      assert(reused(table(), table("rows" -> 51)) == 0)
    }
  }

  test("equal scans and batches, by all that was pushed") {
    def scan(df: DataFrame): RangeDbScan = df.queryExecution.optimizedPlan.collect {
      case r: DataSourceV2ScanRelation => r.scan.asInstanceOf[RangeDbScan]
    }.head
    def loads: Seq[RangeDbScan] = Seq(
      table(),
      table("rows" -> 49),
      table("partitions" -> 3),
      table("pushdown" -> "none"),
      table("nested" -> true),
      table().select("val"),
      table().select("squared"),
      table().where("val < 9"),
      table().where("val < 8"),
      table().where("squared < 9"),
      table().where("squared < 10"),
      table().limit(19),
      table().limit(18),
      table("pushdown" -> "evaluate"),
      table("pushdown" -> "evaluate").where("val < 9"),
      table("pushdown" -> "evaluate").where("val < 8"),
      table("pushdown" -> "evaluate").limit(9),
      table("pushdown" -> "evaluate").limit(8)
    ).map(scan)
    for {
      (a, i) <- loads.zipWithIndex
      (b, j) <- loads.zipWithIndex
    } {
      assert((a == b) == (i == j), s"$a\n$b")
      assert((a.toBatch == b.toBatch) == (i == j), s"$a\n$b")
      if (i == j) assert(a.hashCode == b.hashCode && a.toBatch.hashCode == b.toBatch.hashCode)
    }
  }
}
