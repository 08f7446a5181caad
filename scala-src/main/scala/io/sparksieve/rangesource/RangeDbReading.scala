// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.connector.read.InputPartition

/**
 * The input of one task.
 *
 * @param keys
 *   the ranges that are requested from the engine, in this order
 * @param filters
 *   the conditions that the adapter evaluates on each record
 * @param limit
 *   the number of passing records after which no more are generated
 */
private[rangesource] final case class RangeDbPartition(
    db: RangeDb,
    keys: RangeSet,
    filters: Seq[Condition],
    limit: Option[Int])
    extends InputPartition

/** The passing records of a partition, with counters of the work done. */
private[rangesource] final class RangeDbReading(partition: RangeDbPartition)
    extends Iterator[RangeDbRecord] {

  private var requested = 0L
  private var generated = 0L
  private var returned = 0L

  private val ranges = partition.keys.ranges.iterator
  private var records: Iterator[RangeDbRecord] = Iterator.empty
  private val filter: Option[Condition] =
    if (partition.filters.isEmpty) None else Some(Condition.AllOf(partition.filters))
  private val most = partition.limit.fold(Long.MaxValue)(_.toLong)

  private var found: RangeDbRecord = _

  override def hasNext: Boolean = {
    while (found == null && returned < most && advance()) {
      val record = records.next()
      generated += 1
      if (filter.forall(_.holds(record))) found = record
    }
    found != null
  }

  private def advance(): Boolean = {
    while (!records.hasNext && ranges.hasNext) {
      val range = ranges.next()
      requested += 1
      records = partition.db.records(Some(range.low.toInt), Some(range.high.toInt))
    }
    records.hasNext
  }

  override def next(): RangeDbRecord = {
    if (!hasNext) throw new NoSuchElementException("no more records")
    val record = found
    found = null
    returned += 1
    record
  }

  /** The current counters, by their names in [[RangeDbMetrics]]. */
  def counters: Seq[RangeDbMetrics.Value] = Seq(
    RangeDbMetrics.Value(RangeDbMetrics.RangesRequested, requested),
    RangeDbMetrics.Value(RangeDbMetrics.RecordsGenerated, generated),
    RangeDbMetrics.Value(RangeDbMetrics.RecordsEvaluated, if (filter.isEmpty) 0L else generated),
    RangeDbMetrics.Value(RangeDbMetrics.RecordsReturned, returned)
  )
}

private[rangesource] object RangeDbReading {

  /** Splits `keys` into consecutive parts that are as even as possible. */
  def partitions(
      options: RangeDbOptions,
      keys: RangeSet,
      filters: Seq[Condition],
      limit: Option[Int]): Seq[RangeDbPartition] =
    keys.split(options.partitions).map(RangeDbPartition(options.db, _, filters, limit))
}
