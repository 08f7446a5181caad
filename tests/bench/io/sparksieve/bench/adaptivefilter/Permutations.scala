// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.adaptivefilter

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.execution.ColumnarRule

import io.sparksieve.bench.{Case, CaseGroup}

/**
 * Document 003's first experiment: four predicates, which 4.51 % of the rows pass, in each of their
 * 24 possible orders. Each order runs with Spark's filter and with the adaptive filter; the target
 * is the best of the 24.
 */
object Permutations extends CaseGroup {

  override def position: Int = 1

  /** Two on the integer, one on the date, one on the string; 60 %, 70 %, 40 % and 37.5 % pass. */
  private val Predicates = Seq(
    "number > 46200",
    "number < 57866",
    "day > date_add(DATE'2015-01-01', 1076)",
    "name > 'user-054780'")

  override def cases(rows: Long): Seq[Case] = {
    val data = new Data(rows)
    Predicates.indices.permutations.toSeq.map { order =>
      Setup.filter(
        s"orders/${order.map(_ + 1).mkString}",
        s"predicates written in the order ${order.map(_ + 1).mkString(", ")}",
        data.normal,
        order.map(Predicates(_)),
        others = Seq(Setup.prototype(data.normal, order.map(Predicates(_))))
      )
    }
  }

  override def extensions: SparkSessionExtensions => Unit = extensions => {
    extensions.injectQueryStagePrepRule(_ => PlanPrototypeFilter)
    extensions.injectColumnar(_ =>
      new ColumnarRule { override def preColumnarTransitions = PlanPrototypeFilter })
  }
}
