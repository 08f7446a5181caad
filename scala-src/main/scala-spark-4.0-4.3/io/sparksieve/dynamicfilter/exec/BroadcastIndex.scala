// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery
import org.apache.spark.sql.execution.{
  SparkPlan,
  SubqueryAdaptiveBroadcastExec,
  SubqueryBroadcastExec
}

/** The index of the join key that a subquery on a broadcast reads. */
private[dynamicfilter] object BroadcastIndex {
  def apply(subquery: SubqueryBroadcastExec): Int = subquery.indices.head

  /** A subquery on a broadcast that reads the same key from `broadcast`. */
  def subquery(from: SubqueryAdaptiveBroadcastExec, broadcast: SparkPlan): SubqueryBroadcastExec =
    SubqueryBroadcastExec(from.name, from.indices, from.buildKeys, broadcast)

  def subquery(from: DynamicPruningSubquery, broadcast: SparkPlan): SubqueryBroadcastExec =
    SubqueryBroadcastExec(
      s"dynamicpruning#${from.exprId.id}",
      from.broadcastKeyIndices,
      from.buildKeys,
      broadcast)
}
