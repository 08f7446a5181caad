// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.AttributeSet
import org.apache.spark.sql.catalyst.plans.logical.{Deduplicate, Distinct, LogicalPlan}

/** An operator that removes duplicate rows and does nothing else. */
private[sparksieve] object Duplicates {
  def unapply(plan: LogicalPlan): Option[LogicalPlan] = plan match {
    case Distinct(child) => Some(child)
    case d: Deduplicate if d.child.outputSet.subsetOf(AttributeSet(d.keys)) => Some(d.child)
    case _ => None
  }
}
