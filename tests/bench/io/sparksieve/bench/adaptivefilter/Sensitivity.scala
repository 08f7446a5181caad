// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.adaptivefilter

import io.sparksieve.bench.{Case, CaseGroup}
import io.sparksieve.conf.SieveConf

/**
 * Document 003's second experiment: 16.14 % of the rows pass; collectRate, calculateRate and
 * momentum vary one at a time, under policy rank.
 */
object Sensitivity extends CaseGroup {

  override def position: Int = 2

  private val Predicates = Seq(
    "number > 46200",
    "number < 63215",
    "day > date_add(DATE'2015-01-01', 859)",
    "name > 'user-047100'").reverse

  override def cases(rows: Long): Seq[Case] = {
    def of(config: String, key: String, values: Seq[Any]) = values.map { v =>
      Setup.filter(
        s"sensitivity/$config/$v",
        s"16.14 % pass, $config $v",
        new Data(rows).normal,
        Predicates,
        conf = Setup.Rank + (key -> v.toString) + Setup.AlwaysLearning)
    }
    of(
      "collectRate",
      SieveConf.ADAPTIVE_FILTER_COLLECT_RATE.key,
      Seq(10, 100, 1000, 10000, 100000)) ++
      of(
        "calculateRate",
        SieveConf.ADAPTIVE_FILTER_CALCULATE_RATE.key,
        Seq(10000, 100000, 1000000, 10000000)) ++
      of("momentum", SieveConf.ADAPTIVE_FILTER_MOMENTUM.key, Seq(0.0, 0.1, 0.3, 0.5, 0.7, 0.9))
  }
}
