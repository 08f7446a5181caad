// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.catalyst.sieve

import org.apache.spark.sql.catalyst.optimizer.Optimizer
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** Access to members of Catalyst's own package, for the tester's oracle. */
object Unoptimized {

  /** The names of the rules of an optimizer that can be excluded. */
  def rules(optimizer: Optimizer): Seq[String] = {
    val needed = optimizer.nonExcludableRules.toSet
    optimizer.defaultBatches.flatMap(_.rules.map(_.ruleName)).distinct.filterNot(needed)
  }

  /**
   * Marks a plan that was built from an analyzed plan as analyzed, so that it is not analyzed
   * again.
   */
  def analyzed(plan: LogicalPlan): LogicalPlan = {
    plan.setAnalyzed()
    plan
  }
}
