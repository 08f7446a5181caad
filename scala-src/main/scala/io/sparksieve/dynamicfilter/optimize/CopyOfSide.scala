// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

/**
 * Marks the copy of a creation side that the keys are collected from. Spark plans it by itself,
 * without the joins whose broadcasts filter the side.
 */
private[dynamicfilter] object CopyOfSide {

  private val Tag = TreeNodeTag[Unit]("sieve.dynamicfilter.copy")

  /** A copy of `side`. All its operators are marked, because planning may drop the topmost. */
  def of(side: LogicalPlan): LogicalPlan = {
    val copy = side.clone()
    copy.foreach(_.setTagValue(Tag, ()))
    copy
  }

  /** Whether `plan` is such a copy or a part of one. */
  def is(plan: LogicalPlan): Boolean = plan.getTagValue(Tag).nonEmpty

  /** Whether `plan` is the physical plan of such a copy or of a part. */
  def is(plan: SparkPlan): Boolean = plan.logicalLink.exists(is)
}
