package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

import io.sparksieve.compat.SparkCompat

/**
 * Registers [[InjectDynamicFilter]] in the last batch of the session's optimizer; changes no plan.
 * Session extensions cannot add rules to that batch. Spark reads it from the session's experimental
 * methods each time it optimizes a query.
 */
private[sparksieve] final class SessionInjectDynamicFilter(session: SparkSession)
    extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val methods = SparkCompat.experimental(session)
    if (!methods.extraOptimizations.contains(InjectDynamicFilter)) {
      methods.synchronized {
        if (!methods.extraOptimizations.contains(InjectDynamicFilter)) {
          methods.extraOptimizations = methods.extraOptimizations :+ InjectDynamicFilter
        }
      }
    }
    plan
  }
}
