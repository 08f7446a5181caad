package org.apache.spark.sql.catalyst.sieve

import org.apache.spark.sql.catalyst.optimizer.Optimizer
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** What the tester's oracle needs of Catalyst's own package. */
object Unoptimized {

  /** The names of an optimizer's rules that a query can do without. */
  def rules(optimizer: Optimizer): Seq[String] = {
    val needed = optimizer.nonExcludableRules.toSet
    optimizer.defaultBatches.flatMap(_.rules.map(_.ruleName)).distinct.filterNot(needed)
  }

  /** Marks a plan that was made of an analyzed one, which is not analyzed again. */
  def analyzed(plan: LogicalPlan): LogicalPlan = {
    plan.setAnalyzed()
    plan
  }
}
