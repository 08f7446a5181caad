// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, OneRowRelation}

/** Rows that a query itself contains. Spark evaluates operators over them while it plans. */
private[setop] object InlineRows {

  def apply(leaf: LogicalPlan): Boolean =
    leaf.isInstanceOf[LocalRelation] || leaf.isInstanceOf[OneRowRelation]
}
