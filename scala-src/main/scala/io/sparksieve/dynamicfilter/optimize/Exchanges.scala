package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.plans.logical._

/** Whether an operator other than a join exchanges the rows of its input. */
private[dynamicfilter] object Exchanges {

  def apply(operator: LogicalPlan): Boolean = operator match {
    case _: Aggregate | _: Window | _: RepartitionOperation => true
    case s: Sort => s.global
    case _ => false
  }
}
