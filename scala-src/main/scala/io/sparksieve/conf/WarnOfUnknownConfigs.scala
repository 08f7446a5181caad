// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

import io.sparksieve.compat.SparkCompat

/**
 * Logs one WARN for each key under `spark.sieve.` that is not a config of Sieve, and names the
 * nearest config. Spark accepts any key, so a misspelt switch would silently do nothing. The rule
 * changes no plan; it is a rule because every query passes through the session's rules.
 */
private[sparksieve] class WarnOfUnknownConfigs(session: SparkSession)
    extends Rule[LogicalPlan]
    with Logging {

  private val warned = ConcurrentHashMap.newKeySet[String]()

  override def apply(plan: LogicalPlan): LogicalPlan = {
    SparkCompat.conf(session).getAllConfs.keysIterator.foreach { key =>
      if (key.startsWith(SieveConf.Prefix) && !WarnOfUnknownConfigs.known(key) && warned.add(key)) {
        logWarning(WarnOfUnknownConfigs.warning(key))
      }
    }
    plan
  }
}

private[sparksieve] object WarnOfUnknownConfigs {

  private val known: Set[String] = SieveConf.all.map(_.key).toSet

  private[sparksieve] def warning(key: String): String = {
    val (nearest, _) = Spelling.nearest(key, known)
    s"There is no config $key, so it has no effect. The nearest is $nearest."
  }
}
