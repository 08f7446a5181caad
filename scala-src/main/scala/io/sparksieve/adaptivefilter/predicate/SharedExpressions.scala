// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.predicate

import org.apache.spark.sql.catalyst.expressions.{EquivalentExpressions, Expression}
import org.apache.spark.sql.catalyst.optimizer.CollapseProject

/** Finds expressions that Spark's generated code evaluates once for several predicates. */
private[adaptivefilter] object SharedExpressions {

  /** The shared expressions that cost enough to matter. */
  def of(predicates: Seq[Expression]): Seq[Expression] = {
    val found = new EquivalentExpressions
    predicates.foreach(found.addExprTree(_))
    found.getCommonSubexpressions.filterNot(e =>
      CollapseProject.isCheap(e) || PredicateCost.isCheap(e))
  }
}
