// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.SparkConf
import org.apache.spark.sql.Row
import org.apache.spark.sql.functions.{count, desc, lit, max, min}
import org.apache.spark.sql.internal.SQLConf

/** A short test of the source on every Spark line: each kind of push-down, and runtime filters. */
class RangeSourceSmokeSuite extends RangeSourceTest {

  override protected def sparkConf: SparkConf =
    super.sparkConf.set(SQLConf.SHUFFLE_PARTITIONS.key, "1")

  for (aqe <- Seq("true", "false")) {
    def adaptive[T](body: => T): T = withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe)(body)

    test(s"filters in each mode and through both interfaces, adaptive $aqe") {
      adaptive {
        for ((pushdown, generated, evaluated, returned) <- Seq(
            ("push", 40, 40, 11),
            ("evaluate", 50, 50, 11),
            ("none", 50, 0, 50))) {
          for (t <- Seq(table("pushdown" -> pushdown), tableV1("pushdown" -> pushdown))) {
            val ran = run(t.where("val <= 40 AND squared >= 900").orderBy("val"))
            assert(ran.rows == records(30 to 40))
            assert(ran.counters == Counters(9, generated, evaluated, returned), pushdown)
          }
          val nested = run(
            table("pushdown" -> pushdown, "nested" -> true)
              .where("val <= 40 AND data.squared >= 900")
              .selectExpr("data.cubed"))
          assert(nested.rows.map(_.getLong(0)).sorted == (30 to 40).map(k => k.toLong * k * k))
          assert(nested.counters == Counters(9, generated, evaluated, returned), pushdown)
        }
        val exotic = run(
          table().where(
            "(val IN (3, 9, NULL) OR NOT (val <=> 4 OR val < 48) OR val BETWEEN 20 AND 21) " +
              "AND val IS NOT NULL AND val <> 49"))
        assert(exotic.rows == records(Seq(3, 9, 20, 21, 48, 50)))
        assert(exotic.counters.generated == 6)
      }
    }

    test(s"limits, offsets and aggregates, adaptive $aqe") {
      adaptive {
        val top = run(table().where("val <= 40 AND squared >= 900").orderBy("val").limit(4))
        assert(top.rows == records(30 to 33) && top.counters.generated == 4)
        val last = run(table().orderBy(desc("val")).limit(2))
        assert(last.rows == records(50 to 49 by -1) && last.counters.generated == 2)
        val some = run(table().limit(5).offset(2))
        assert(some.rows == records(3 to 5) && some.counters.generated == 3)
        val rows = run(table().where("squared >= 900").agg(count(lit(1)), min("val"), max("cubed")))
        assert(rows.rows == Seq(Row(21L, 30, 125000L)))
      }
    }

    for ((kind, threshold) <- Seq("shuffle" -> "-1", "broadcast" -> "10MB")) {
      test(s"100 keys of 100,000,000, learned from a $kind, adaptive $aqe") {
        adaptive(withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
          withTable("keys") {
            spark
              .range(0, 10000)
              .selectExpr("cast(id * 10000 + 1 AS INT) AS k", "if(id % 100 = 0, 'x', 'y') AS name")
              .write
              .saveAsTable("keys")
            table("rows" -> 100000000, "partitions" -> 2).createOrReplaceTempView("r")
            val ran =
              run(sql("SELECT r.val FROM r JOIN keys ON r.val = keys.k WHERE keys.name = 'x'"))
            assert(ran.rows.map(_.getInt(0)).sorted == (0 until 100).map(_ * 1000000 + 1))
            assert(ran.counters == Counters(100, 100, 0, 100), ran.plan)
          }
        })
      }
    }
  }

  test("a catalog, a view, and a wrong option") {
    spark.conf.set("spark.sql.catalog.rangedb", classOf[RangeDbCatalog].getName)
    checkAnswer(sql("SELECT val FROM rangedb.t50 WHERE val > 48"), Seq(Row(49), Row(50)))
    withTempView("v") {
      sql("CREATE TEMPORARY VIEW v USING rangedb OPTIONS (rows '5', nested 'true')")
      checkAnswer(sql("SELECT data.cubed FROM v WHERE data.squared = 16"), Row(64L))
    }
    assert(
      intercept[IllegalArgumentException](table("partitions" -> 0)).getMessage
        .contains("'partitions'"))
  }
}
