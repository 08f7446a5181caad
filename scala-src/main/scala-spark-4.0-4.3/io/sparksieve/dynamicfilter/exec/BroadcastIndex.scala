// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.execution.SubqueryBroadcastExec

/** The index of the join key that a subquery on a broadcast reads. */
private[dynamicfilter] object BroadcastIndex {
  def apply(subquery: SubqueryBroadcastExec): Int = subquery.indices.head
}
