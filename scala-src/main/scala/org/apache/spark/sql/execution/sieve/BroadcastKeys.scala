package org.apache.spark.sql.execution.sieve

import org.apache.spark.sql.catalyst.expressions.{BoundReference, Expression, UnsafeProjection}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.joins.{HashJoin, HashedRelation, LongHashedRelation}

import io.sparksieve.keyset.KeySetBuilder

/** Collects keys from the broadcast of a hash join, whose classes are private to Spark. */
object BroadcastKeys {

  /**
   * Adds the join key at `index` of every broadcast row to `builder`, until the builder meets a
   * cap.
   *
   * @param exchange
   *   the operator that makes the broadcast; nothing runs if the join has already made it
   * @param keys
   *   all keys of the join on the broadcast side
   */
  def collect(
      exchange: SparkPlan,
      keys: Seq[Expression],
      index: Int,
      builder: KeySetBuilder): Unit = {
    val relation = exchange.executeBroadcast[HashedRelation]().value
    // Several small integers are packed into one long.
    val key = relation match {
      case _: LongHashedRelation => HashJoin.extractKeyExprAt(keys, index)
      case _ => BoundReference(index, keys(index).dataType, keys(index).nullable)
    }
    val project = UnsafeProjection.create(Seq(key))
    val held = relation.keys()
    while (!builder.gaveUp && held.hasNext) builder.add(project(held.next()))
  }
}
