// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import org.apache.spark.SparkContext
import org.apache.spark.util.AccumulatorV2

/**
 * A snapshot of the order and the measurements that an executor had for a filter.
 *
 * @param millis
 *   since the epoch
 * @param order
 *   predicates by their position in the written order
 * @param passRates
 *   for each predicate, as written, the share of evaluated rows that pass; NaN if not known
 * @param nanos
 *   for each predicate, as written, nanoseconds of one evaluation; NaN if not known
 */
private[adaptivefilter] final case class OrderEvent(
    executor: String,
    millis: Long,
    order: Vector[Int],
    passRates: Vector[Double],
    nanos: Vector[Double])

/** Collects the last [[OrderHistory.Max]] events of a filter's tasks on the driver. */
private[adaptivefilter] final class OrderHistory
    extends AccumulatorV2[OrderEvent, Vector[OrderEvent]] {

  private var events = Vector.empty[OrderEvent]

  override def isZero: Boolean = events.isEmpty

  override def copy(): OrderHistory = {
    val other = new OrderHistory
    other.events = events
    other
  }

  override def reset(): Unit = events = Vector.empty

  override def add(event: OrderEvent): Unit =
    events = (events :+ event).takeRight(OrderHistory.Max)

  override def merge(other: AccumulatorV2[OrderEvent, Vector[OrderEvent]]): Unit =
    events = (events ++ other.value).takeRight(OrderHistory.Max)

  override def value: Vector[OrderEvent] = events

  /** The events, sorted by time. */
  def ordered: Vector[OrderEvent] = value.sortBy(_.millis)
}

private[adaptivefilter] object OrderHistory {

  /** The most events that are kept for one run of a filter. */
  val Max = 1000

  /** A new history, registered as an accumulator so that tasks can add to it. */
  def registered(sc: SparkContext): OrderHistory = {
    val made = new OrderHistory
    sc.register(made)
    made
  }
}
