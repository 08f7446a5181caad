// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import java.io.ByteArrayOutputStream

import org.apache.spark.sql.streaming.Trigger

import io.sparksieve.adaptivefilter.learn.{FilterState, FilterStates, GreedyPolicy}
import io.sparksieve.adaptivefilter.predicate.Precedence
import io.sparksieve.conf.{PolicySettings, SieveConf}

/** The orders that filters learn, the reports about them, and the state that is kept. */
class LearningSuite extends AdaptiveFilterTest {

  private def cheapFirst(ran: Ran): Unit = {
    val last = ran.filters.head.orders.last
    // The predicate that drops nothing was written first.
    assert(last.order.last == 0, last)
    assert(last.passRates.forall(r => r >= 0 && r <= 1), last)
    assert(last.nanos.forall(_ >= 0), last)
  }

  for {
    vectorized <- Seq("true", "false")
    policy <- PolicySettings.names
  } test(s"what drops nothing goes behind what does: batches $vectorized, policy $policy") {
    withConf(
      "spark.sql.parquet.enableVectorizedReader" -> vectorized,
      SieveConf.ADAPTIVE_FILTER_POLICY.key -> policy,
      SieveConf.ADAPTIVE_FILTER_COLLECT_RATE.key -> "20",
      SieveConf.ADAPTIVE_FILTER_CALCULATE_RATE.key -> "1000"
    ) {
      FilterStates.clear()
      val ran = assertAdaptive(sql(Mixed))
      cheapFirst(ran)
      assert(ran.metric("numReorders") > 0)
      assert(ran.metric("timeSaved") > 0)
      val fewer = assertAdaptive(
        sql("SELECT id FROM logs WHERE s LIKE '%' AND length(s) > 0 AND memory > 90"))
      assert(fewer.metric("evaluationsSaved") > 0, fewer.plan)
    }
  }

  test("sieve_report and sieve_orders after a run") {
    FilterStates.clear()
    val moments = assertAdaptive(sql(Mixed)).filters.flatMap(_.moments)
    // Many moments of many runs are kept.
    assert(
      moments.forall(m => moments.find(_.predicate == m.predicate).get.predicate eq m.predicate))
    val rows = sql(s"""SELECT rule, outcome, place, detail FROM sieve_report("$Mixed")
      WHERE feature = 'adaptivefilter' ORDER BY id""").collect()
    val measured = rows.filter(_.getString(1) == "measured").map(_.getString(3))
    assert(rows.exists(_.getString(1) == "applied"), rows.mkString("\n"))
    assert(measured.exists(_.contains("rows kept; evaluated in the order ")), rows.mkString("\n"))
    assert(measured.count(_.contains(" ns each")) == 4, rows.mkString("\n"))
    val orders = sql(s"""SELECT at_ms, predicate, written, position, pass_rate, nanos
      FROM sieve_orders("$Mixed")""").collect()
    assert(orders.map(_.getInt(2)).toSet == Set(1, 2, 3, 4))
    assert(orders.forall(r => r.getInt(3) >= 1 && r.getInt(3) <= 4 && r.getLong(0) >= 0))
    assert(sql("SELECT * FROM sieve_orders('SELECT 1')").collect().isEmpty)
  }

  test("a thousand filters leave no more states than the registry holds") {
    FilterStates.clear()
    val input = spark.range(100).selectExpr("id", "cast(id AS STRING) AS s").cache()
    try {
      input.count()
      (1 to 1000).foreach { i =>
        FilterStates(s"filter $i")(
          new FilterState(Precedence(2, 0L, 2), new GreedyPolicy(Precedence(2, 0L, 2))))
      }
      assert(FilterStates.size == FilterStates.Max)
      (1 to 20).foreach(i => input.where(s"s LIKE '%$i%' AND upper(s) <> '$i'").collect())
      assert(FilterStates.size == FilterStates.Max)
    } finally input.unpersist(blocking = true)
  }

  test("filters that differ in a literal only share nothing, equal ones share what was learned") {
    FilterStates.clear()
    def run(hour: Int) = assertAdaptive(sql(Mixed.replace("hour > 7", s"hour > $hour")))
    run(7)
    assert(FilterStates.size == 1)
    run(7)
    assert(FilterStates.size == 1)
    run(8)
    assert(FilterStates.size == 2)
    // The order among the cheap predicates depends on measured times, and may change.
    val again = run(7)
    assert(FilterStates.size == 2)
    cheapFirst(again)
  }

  test("a stream: each of its batches filters by what the ones before have learned") {
    withTempPath { dir =>
      val path = dir.getCanonicalPath
      (0 to 1).foreach { batch =>
        spark
          .range(0, 100, 1, 1)
          .selectExpr("cast(id AS INT) AS a", s"cast(id + $batch * 1000 AS STRING) AS s")
          .write
          .mode("append")
          .parquet(path)
      }
      val where = "s RLIKE '^[0-9]*7$' AND a > 10 AND upper(s) <> '17'"
      val query = spark.readStream
        .schema("a INT, s STRING")
        .option("maxFilesPerTrigger", "1")
        .parquet(path)
        .where(where)
        .writeStream
        .format("memory")
        .queryName("filtered")
        .trigger(Trigger.AvailableNow)
        .start()
      try {
        query.awaitTermination()
        val expected = withConf(SieveConf.ENABLED.key -> "false") {
          spark.read.parquet(path).where(where).collect().toSeq
        }
        assert(expected.size > 10 && query.recentProgress.length > 1)
        checkAnswer(sql("SELECT * FROM filtered"), expected)
        val explained = new ByteArrayOutputStream
        Console.withOut(explained)(query.explain())
        assert(explained.toString.contains("AdaptiveFilter ["), explained)
      } finally {
        query.stop()
        sql("DROP VIEW IF EXISTS filtered")
      }
    }
  }
}
