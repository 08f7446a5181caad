// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf

/**
 * Spark's own pruning of a creation side's partitions by the broadcast of another join, and whether
 * it is in the copy of the side too ([[CopyOfSide]]).
 *
 * Spark adds such pruning for any join, and drops it if the join has no broadcast. So it is kept in
 * the copy only if the other join is likely to have one: by the size of the side that it reads.
 */
private[dynamicfilter] object CopysPruning {

  /** Whether the pruning is in the side and in its copy. */
  def isKept(pruning: DynamicPruningSubquery, conf: SQLConf): Boolean =
    conf.adaptiveExecutionEnabled && isExpected(pruning, conf)

  /** Whether Spark prunes partitions in `side`, but not in its copy. */
  def isLost(side: LogicalPlan, conf: SQLConf): Boolean =
    !conf.adaptiveExecutionEnabled && side.exists {
      case _: DynamicFilter => false
      case other =>
        other.expressions.exists(_.exists {
          case pruning: DynamicPruningSubquery => isExpected(pruning, conf)
          case _ => false
        })
    }

  /** Whether Spark broadcasts a join's side of this size. */
  def isSmall(side: LogicalPlan, conf: SQLConf): Boolean =
    side.stats.sizeInBytes <= conf.autoBroadcastJoinThreshold

  private def isExpected(pruning: DynamicPruningSubquery, conf: SQLConf) =
    pruning.onlyInBroadcast && isSmall(pruning.buildQuery, conf)
}
