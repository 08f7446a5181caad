// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.internal.SQLConf

/**
 * Finds an operator that depends on the partitions of its rows, such as one that numbers them, and
 * whose rows may come from a shuffle. Adaptive execution merges, splits and replaces the partitions
 * of all shuffles that a stage reads, by the sizes of all of them: a filter before one shuffle may
 * change the partitions of another, in a part of the plan that has nothing to do with the filter.
 */
private[dynamicfilter] object SeesPartitions {

  /**
   * The first such operator in a plan; None without adaptive execution.
   *
   * @param isRandom
   *   whether an operator depends on the order or the partitions of its rows
   */
  def in(root: LogicalPlan, conf: SQLConf)(isRandom: LogicalPlan => Boolean): Option[LogicalPlan] =
    if (!conf.adaptiveExecutionEnabled) None
    else root.find(p => isRandom(p) && (mayShuffle(p) || p.children.exists(_.exists(mayShuffle))))

  // Others, which Spark or a library may add, are assumed to shuffle.
  private def mayShuffle(plan: LogicalPlan): Boolean = plan match {
    case _: LeafNode | _: Project | _: Filter | _: DynamicFilter | _: SubqueryAlias => false
    case _: Generate | _: Expand | _: Sample | _: Union => false
    case _ => true
  }
}
