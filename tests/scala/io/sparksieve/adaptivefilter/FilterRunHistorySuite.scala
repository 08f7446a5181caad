// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.util.LongAccumulator

import io.sparksieve.adaptivefilter.learn.{EarlierRun, FilterRunHistory}
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/** A filter whose order saved little time in earlier runs is left to Spark's FilterExec. */
class FilterRunHistorySuite extends AdaptiveFilterTest {
  import EarlierRun.{Gain, Lately, LongEnough}

  private def sum(nanos: Long) = {
    val made = new LongAccumulator
    made.add(nanos)
    made
  }

  private def ran(saved: Long, took: Long, begun: Long = System.nanoTime()) = {
    val metric = new SQLMetric("nsTiming", -1)
    metric.set(saved)
    EarlierRun(metric, sum(took), begun)
  }

  override def afterEach(): Unit =
    try FilterRunHistory.clear()
    finally super.afterEach()

  test("two runs that were long enough, the better of the last two, and no longer than a while") {
    val second = LongEnough
    FilterRunHistory.add("a", ran(0, 2 * second))
    assert(FilterRunHistory.gain("a").isEmpty)
    FilterRunHistory.add("a", ran(second, 3 * second))
    assert(FilterRunHistory.gain("a").contains(Gain(second, 3 * second)))
    assert(FilterRunHistory.gain("a").exists(_.share == 0.25))
    FilterRunHistory.add("a", ran(0, second))
    FilterRunHistory.add("a", ran(0, second))
    assert(FilterRunHistory.gain("a").contains(Gain(0, second)))
    FilterRunHistory.add("a", ran(0, second - 1))
    assert(FilterRunHistory.gain("a").isEmpty)
    val before = System.nanoTime() - Lately
    FilterRunHistory.add("b", ran(0, second, before))
    FilterRunHistory.add("b", ran(0, second))
    assert(FilterRunHistory.gain("b").isEmpty && FilterRunHistory.gain("c").isEmpty)
  }

  test("code that is made again is no other run") {
    val once = ran(0, 2 * LongEnough)
    FilterRunHistory.add("a", once)
    FilterRunHistory.add("a", once)
    assert(FilterRunHistory.gain("a").isEmpty)
  }

  test("a sum that nothing was added to is nothing, and so many filters are remembered") {
    assert(EarlierRun(new SQLMetric("nsTiming", -1), new LongAccumulator).gain == Gain(0, 0))
    for (k <- 0 to FilterRunHistory.Max; _ <- 1 to 2)
      FilterRunHistory.add(s"$k", ran(0, LongEnough))
    assert(FilterRunHistory.gain("0").isEmpty && FilterRunHistory.gain("1").nonEmpty)
  }

  test(
    "a filter is learned until two runs have shown that little is gained, and distinguished from others") {
    def query(least: Int) = spark
      .range(0, 400000, 1, 2)
      .where(s"length(sha2(cast(id AS STRING), 512)) = 128 AND id % 4 = 1 AND id > $least")
      .selectExpr("count(*)")
    def at(gain: String)(body: => Unit) =
      withConf(SieveConf.ADAPTIVE_FILTER_MIN_GAIN.key -> gain)(body)
    at("0.999") {
      for (_ <- 1 to 2) {
        val df = query(7)
        notFailingToCompile(df.collect())
        assert(new Ran(df, Nil).filters.nonEmpty)
        // As if the run had been long enough to count.
        FilterRunHistory.all.foreach(_.took.add(LongEnough))
      }
      assertLeft(Reason.LittleToGain)(query(7))
      val said = verdicts(query(7)).map(_.detail)
      assert(
        said.exists(_.matches("in earlier runs the order saved .*% of the tasks' time .*")),
        said)
      // The report still shows the measurements of the last run with an adaptive filter.
      query(7).createOrReplaceTempView("earlier")
      val measured = "SELECT detail FROM sieve_report('earlier') WHERE outcome = 'measured'"
      assert(sql(measured).collect().exists(_.getString(0).contains("order ")))
      // Another literal makes another filter.
      assert(verdicts(query(8)).forall(_.reason.isEmpty))
    }
    for (gain <- Seq("0", "0.03")) at(gain)(assertAdaptive(query(7)))
  }
}
