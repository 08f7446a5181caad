// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.compat

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/**
 * Registers rules in the last batch of the session's optimizer, before the session's first query;
 * changes no plan. Session extensions cannot add rules to that batch. Spark reads it from the
 * session's experimental methods each time it optimizes a query.
 */
private[sparksieve] final class RegisterLastRules(
    session: SparkSession,
    rules: Seq[Rule[LogicalPlan]])
    extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val methods = SparkCompat.experimental(session)
    def missing = rules.filterNot(methods.extraOptimizations.contains)
    if (missing.nonEmpty) {
      methods.synchronized {
        methods.extraOptimizations = methods.extraOptimizations ++ missing
      }
    }
    plan
  }
}
