// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.util.LongAccumulator

import io.sparksieve.adaptivefilter.exec.{AdaptiveFilter, FilterKey}
import io.sparksieve.adaptivefilter.learn.{EarlierRun, FilterRunHistory}
import io.sparksieve.adaptivefilter.predicate.Conjuncts
import io.sparksieve.conf.SieveConf

/** For suites of other features: records earlier runs of a filter whose order saved nothing. */
object LittleGain {

  def remember(filter: AdaptiveFilter): Unit = {
    val conjuncts = Conjuncts.of(filter.condition, filter.child.output)
    val key = FilterKey(conjuncts, SieveConf.adaptiveFilterPolicy(filter.conf), filter.child)
    for (_ <- 1 to 2) {
      val took = new LongAccumulator
      took.add(EarlierRun.LongEnough)
      FilterRunHistory.add(key, EarlierRun(new SQLMetric("nsTiming", -1), took))
    }
  }

  def forget(): Unit = FilterRunHistory.clear()
}
