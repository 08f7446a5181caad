// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.execution.sieve

import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  Expression,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.joins.{HashJoin, HashedRelation, LongHashedRelation}

/** Collects keys from the broadcast of a hash join, whose classes are private to Spark. */
object BroadcastKeys {

  /**
   * Calls `add` with the join key at `index` of each broadcast row, until `add` returns false.
   *
   * @param exchange
   *   the operator that makes the broadcast; nothing runs if the join has already made it
   * @param keys
   *   all keys of the join on the broadcast side
   */
  def collect(exchange: SparkPlan, keys: Seq[Expression], index: Int)(
      add: UnsafeRow => Boolean): Unit = {
    val relation = exchange.executeBroadcast[HashedRelation]().value
    // Several small integers are packed into one long.
    val key = relation match {
      case _: LongHashedRelation => HashJoin.extractKeyExprAt(keys, index)
      case _ => BoundReference(index, keys(index).dataType, keys(index).nullable)
    }
    val project = UnsafeProjection.create(Seq(key))
    val held = relation.keys()
    while (held.hasNext && add(project(held.next()))) {}
  }

  /** Whether no two rows of a broadcast have the same join keys; `exchange` as in [[collect]]. */
  def areUnique(exchange: SparkPlan): Boolean =
    exchange.executeBroadcast[HashedRelation]().value.keyIsUnique
}
