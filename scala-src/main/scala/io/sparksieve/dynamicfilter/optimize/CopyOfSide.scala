// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.ExprId
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

/**
 * Marks the copy of a creation side that the keys are collected from. Spark plans it by itself,
 * without the joins whose broadcasts filter the side.
 */
private[dynamicfilter] object CopyOfSide {

  private val Tag = TreeNodeTag[Set[ExprId]]("sieve.dynamicfilter.copy")

  /**
   * A copy of `side`. All its operators are marked, because planning may drop the topmost.
   *
   * @param pruning
   *   the ids of the subqueries by which Spark prunes partitions in the side ([[SparksPruning]])
   */
  def of(side: LogicalPlan, pruning: Set[ExprId]): LogicalPlan = {
    val copy = side.clone()
    copy.foreach(_.setTagValue(Tag, pruning))
    copy
  }

  /** Whether `plan` is such a copy or a part of one. */
  def is(plan: LogicalPlan): Boolean = plan.getTagValue(Tag).nonEmpty

  /** The ids given for the copy that `plan` is the physical plan of; None for any other plan. */
  def pruning(plan: SparkPlan): Option[Set[ExprId]] = plan.logicalLink.flatMap(_.getTagValue(Tag))
}
