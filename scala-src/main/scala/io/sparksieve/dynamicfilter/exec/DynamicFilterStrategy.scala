// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}

import io.sparksieve.dynamicfilter.optimize.{CollectKeys, DynamicFilter}

/** Plans [[DynamicFilter]] as [[DynamicFilterExec]] and [[CollectKeys]] as [[CollectKeysExec]]. */
private[sparksieve] object DynamicFilterStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case DynamicFilter(key, source, learnedFrom, child) =>
      DynamicFilterExec(key, source, learnedFrom, planLater(child)) :: Nil
    case CollectKeys(joinKeys, index, caps, output, child) =>
      CollectKeysExec(joinKeys, index, caps, output, planLater(child)) :: Nil
    case _ => Nil
  }
}
