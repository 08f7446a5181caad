// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.dynamicfilter.optimize.{CollectKeys, CopyOfSide, DynamicFilter}

/** Plans [[DynamicFilter]] as [[DynamicFilterExec]] and [[CollectKeys]] as [[CollectKeysExec]]. */
private[sparksieve] object DynamicFilterStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case copied @ DynamicFilter(key, source: DynamicPruningSubquery, learnedFrom, child)
        if CopyOfSide.is(copied) && !SQLConf.get.adaptiveExecutionEnabled =>
      val hidden = CopysSubquery(source.pruningKey, source)
      DynamicFilterExec(key, hidden, learnedFrom, planLater(child)) :: Nil
    case DynamicFilter(key, source, learnedFrom, child) =>
      DynamicFilterExec(key, source, learnedFrom, planLater(child)) :: Nil
    case CollectKeys(joinKeys, index, caps, output, child) =>
      CollectKeysExec(joinKeys, index, caps, output, planLater(child)) :: Nil
    case _ => Nil
  }
}
