// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningSubquery, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** Builds Spark's subquery on the broadcast of a join, whose constructor differs by Spark line. */
private[dynamicfilter] object BroadcastSubquery {

  def apply(
      key: Expression,
      build: LogicalPlan,
      buildKeys: Seq[Expression],
      index: Int): Expression =
    DynamicPruningSubquery(key, build, buildKeys, index, onlyInBroadcast = true)
}
