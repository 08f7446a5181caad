// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.expressions.{BindReferences, Expression}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec
import org.apache.spark.sql.execution.joins.{HashJoin, HashedRelationBroadcastMode}

/** The broadcast of a join's side by its keys, equal to the one that Spark plans below the join. */
private[exec] object SideBroadcast {

  def apply(keys: Seq[Expression], side: SparkPlan): BroadcastExchangeExec = {
    val bound = BindReferences.bindReferences(HashJoin.rewriteKeyExpr(keys), side.output)
    BroadcastExchangeExec(HashedRelationBroadcastMode(bound), side)
  }
}
