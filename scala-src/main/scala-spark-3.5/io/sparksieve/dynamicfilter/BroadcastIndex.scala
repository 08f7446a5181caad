package io.sparksieve.dynamicfilter

import org.apache.spark.sql.execution.SubqueryBroadcastExec

/** Which of the join's keys a subquery on a broadcast is about. */
private[dynamicfilter] object BroadcastIndex {
  def apply(subquery: SubqueryBroadcastExec): Int = subquery.index
}
