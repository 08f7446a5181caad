package io.sparksieve.dynamicfilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

import io.sparksieve.SparkCompat

/**
 * Changes no plan, but sees to it that the session's optimizer ends with [[InjectDynamicFilter]]:
 * no extension reaches the optimizer's last batch, which a session takes from its experimental
 * methods whenever it optimizes.
 */
final class SessionInjectDynamicFilter(session: SparkSession) extends Rule[LogicalPlan] {

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
