package io.sparksieve.bulkfilter

import org.apache.spark.SparkContext
import org.apache.spark.util.AccumulatorV2

/**
 * How many of some rows had keys that are in the sets of a [[SideBySide]].
 *
 * @param rows
 *   those that were looked at
 * @param found
 *   for each set those in it; empty if there were no rows
 */
private[bulkfilter] final case class LeafCount(rows: Long, found: Vector[Long]) {

  def +(other: LeafCount): LeafCount =
    LeafCount(rows + other.rows, found.zipAll(other.found, 0L, 0L).map { case (a, b) => a + b })
}

/** Brings what tasks have counted to the driver. */
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

  /** One that tasks can add to. */
  def registered(sc: SparkContext): LeafCounts = {
    val made = new LeafCounts
    sc.register(made)
    made
  }
}
