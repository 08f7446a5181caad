package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.{EquivalentExpressions, Expression}
import org.apache.spark.sql.catalyst.optimizer.CollapseProject

/** What Spark's generated code evaluates once for several predicates. */
private[adaptivefilter] object SharedExpressions {

  /** Those that cost enough to matter. */
  def of(predicates: Seq[Expression]): Seq[Expression] = {
    val found = new EquivalentExpressions
    predicates.foreach(found.addExprTree(_))
    found.getCommonSubexpressions.filterNot(e =>
      CollapseProject.isCheap(e) || PredicateCost.isCheap(e))
  }
}
