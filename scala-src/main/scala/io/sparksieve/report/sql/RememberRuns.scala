// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Guarded

/**
 * Registers one [[RunListener]] with its session. The rule changes no plan; it is a rule because an
 * extension cannot register listeners, and every query passes through rules before it runs.
 */
private[sparksieve] class RememberRuns(session: SparkSession) extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    if (SparkCompat.conf(session).getConf(SieveConf.ENABLED)) {
      Guarded("report", "RememberRuns", "the session's listeners", ())(register())
    }
    plan
  }

  private def register(): Unit = synchronized {
    if (RunListener.of(session).isEmpty) {
      SparkCompat.listeners(session).register(new RunListener)
    }
  }
}
