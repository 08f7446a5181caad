package io.sparksieve.adaptivefilter

import org.apache.spark.SparkContext
import org.apache.spark.util.AccumulatorV2

/**
 * What an executor knew of a filter at some moment.
 *
 * @param millis
 *   since the epoch
 * @param order
 *   predicates by their place in the written order
 * @param passRates
 *   for each predicate, as written, the share of rows asked of it that pass; NaN if not known
 * @param nanos
 *   for each predicate, as written, of one evaluation; NaN if not known
 */
final case class OrderEvent(
    executor: String,
    millis: Long,
    order: Vector[Int],
    passRates: Vector[Double],
    nanos: Vector[Double])

/** Brings the events of a filter's tasks to the driver: the last [[OrderHistory.Max]]. */
final class OrderHistory extends AccumulatorV2[OrderEvent, Vector[OrderEvent]] {

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

  /** The events in the order of time. */
  def ordered: Vector[OrderEvent] = value.sortBy(_.millis)
}

object OrderHistory {

  /** Events that are kept of one run of a filter. */
  val Max = 1000

  /** One that tasks can add to. */
  def registered(sc: SparkContext): OrderHistory = {
    val made = new OrderHistory
    sc.register(made)
    made
  }
}
