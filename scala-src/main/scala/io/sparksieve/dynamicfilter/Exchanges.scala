package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.plans.logical._

/** Which operators, joins aside, exchange the rows of what is below them. */
private[dynamicfilter] object Exchanges {

  def apply(operator: LogicalPlan): Boolean = operator match {
    case _: Aggregate | _: Window | _: RepartitionOperation => true
    case s: Sort => s.global
    case _ => false
  }
}
