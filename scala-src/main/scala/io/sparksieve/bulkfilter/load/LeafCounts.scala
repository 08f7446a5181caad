// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import org.apache.spark.SparkContext
import org.apache.spark.util.AccumulatorV2

/**
 * Counts, for a sample of rows, how many have a key in each set of a [[SideBySide]].
 *
 * @param rows
 *   the number of rows in the sample
 * @param found
 *   for each set, the rows whose key is in it; empty if no rows were sampled
 */
private[bulkfilter] final case class LeafCount(rows: Long, found: Vector[Long]) {

  def +(other: LeafCount): LeafCount =
    LeafCount(rows + other.rows, found.zipAll(other.found, 0L, 0L).map { case (a, b) => a + b })
}

/** Accumulates the counts of tasks on the driver. */
private[bulkfilter] final class LeafCounts extends AccumulatorV2[LeafCount, LeafCount] {

  private var sum = LeafCounts.Zero

  override def isZero: Boolean = sum.rows == 0

  override def copy(): LeafCounts = {
    val other = new LeafCounts
    other.sum = sum
    other
  }

  override def reset(): Unit = sum = LeafCounts.Zero

  override def add(count: LeafCount): Unit = sum = sum + count

  override def merge(other: AccumulatorV2[LeafCount, LeafCount]): Unit = sum = sum + other.value

  override def value: LeafCount = sum
}

private[bulkfilter] object LeafCounts {

  private val Zero = LeafCount(0, Vector.empty)

  /** A new accumulator, registered so that tasks can add to it. */
  def registered(sc: SparkContext): LeafCounts = {
    val made = new LeafCounts
    sc.register(made)
    made
  }
}
