// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.ExprId
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.execution.sieve.Sizes

import io.sparksieve.common.Numbers

/**
 * Where the keys of a dynamic filter come from.
 *
 * @param key
 *   the key on the creation side, as text for a reader
 * @param ids
 *   the columns that the key refers to
 * @param kind
 *   how the keys are collected: [[FilterProvenance.Broadcast]] or [[FilterProvenance.Shuffle]]
 * @param expected
 *   the estimates made before the query ran, as text for a reader; not part of equality
 * @param pinned
 *   whether the creation side yields the same rows each time it is read; see [[Repeatable]]
 * @param leastShare
 *   the least share of the filtered scan's rows, from 0 to 1, that the broadcast joins of its stage
 *   must keep for the keys to save more than their collection costs
 */
private[sparksieve] final case class FilterProvenance(key: String, ids: Set[ExprId], kind: String)(
    val expected: Option[String] = None,
    val pinned: Boolean = true,
    val leastShare: Double = 0) {

  /**
   * A copy with Spark's size estimates as `expected`.
   *
   * @param scan
   *   statistics of the filtered scan
   * @param side
   *   statistics of the creation side
   */
  def expecting(scan: Statistics, side: Statistics, leastShare: Double): FilterProvenance =
    copy()(
      Some(
        s"${FilterProvenance.size(side)} with keys for a scan of ${FilterProvenance.size(scan)}"),
      pinned,
      leastShare)

  override def toString: String = s"$key ($kind)"
}

private[sparksieve] object FilterProvenance {

  /** The keys are read from the join's own broadcast. */
  val Broadcast = "broadcast"

  /** An extra job collects the keys from the side that the join shuffles. */
  val Shuffle = "shuffle"

  val Unknown: FilterProvenance = FilterProvenance("", Set.empty, "")()

  private def size(stats: Statistics) = {
    val bytes = Sizes.show(stats.sizeInBytes.min(Long.MaxValue).toLong)
    stats.rowCount.fold(bytes)(rows =>
      s"${Numbers.counted(rows.min(Long.MaxValue).toLong, "row")} ($bytes)")
  }
}
