// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.connector.expressions.{NamedReference, SortDirection, SortOrder}
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.types.StructType

import io.sparksieve.common.Numbers
import io.sparksieve.report.core.{ReportsPushdown, Step}

/**
 * Accepts what Spark pushes down, in Spark's order: filters, aggregates, limit and offset, columns.
 *
 * A limit, an offset or an aggregate needs exactly the rows that pass all filters. If Spark
 * evaluates no filter, the keys of these rows are known, also for filters on other columns, because
 * squares and cubes grow with the key. Then only the keys that remain after limit and offset are
 * requested from the engine, and no filter is evaluated.
 */
private[rangesource] final class RangeDbScanBuilder(options: RangeDbOptions)
    extends ScanBuilder
    with SupportsPushDownV2Filters
    with SupportsPushDownAggregates
    with SupportsPushDownLimit
    with SupportsPushDownTopN
    with SupportsPushDownOffset
    with SupportsPushDownRequiredColumns
    with ReportsPushdown {

  private var interpreter = FilterInterpreter.v2(Nil, options)
  private var schema = options.schema
  private var aggregate: Option[RangeDbAggregate] = None
  private var selected: Option[RangeSet] = None
  private var partitionLimit: Option[Int] = None
  private var partially = false

  override def pushPredicates(predicates: Array[Predicate]): Array[Predicate] = {
    interpreter = FilterInterpreter.v2(predicates.toSeq, options)
    interpreter.residual.toArray
  }

  override def pushedPredicates(): Array[Predicate] = interpreter.used.toArray

  override def steps(offered: Seq[Any]): Map[Any, Step] =
    FilterInterpreter.v2(offered.collect { case p: Predicate => p }, options).steps

  override def supportCompletePushDown(aggregation: Aggregation): Boolean =
    aggregated(aggregation).nonEmpty

  override def pushAggregation(aggregation: Aggregation): Boolean = {
    aggregate = aggregated(aggregation)
    aggregate.foreach(a =>
      RangeDbScan.report(
        s"aggregates of rangedb of ${Numbers.counted(options.rows, "row")}",
        a.interpretation,
        RangeSet.Empty))
    aggregate.nonEmpty
  }

  private def aggregated(aggregation: Aggregation): Option[RangeDbAggregate] =
    countable.flatMap(RangeDbAggregate(options, interpreter.result, _, aggregation))

  override def pushLimit(limit: Int): Boolean = {
    partially = false
    if (isTaken) false
    else
      options.pushdown match {
        case Pushdown.Push => select(_.take(limit.toLong))
        case Pushdown.Evaluate => limitPartitions(limit)
        case Pushdown.Leave => false
      }
  }

  override def pushTopN(orders: Array[SortOrder], limit: Int): Boolean =
    if (isTaken || orders.isEmpty) false
    else
      ascending(orders.head).fold(false) { ascending =>
        val pushed = options.pushdown match {
          case Pushdown.Push if ascending => select(_.take(limit.toLong))
          case Pushdown.Push => select(_.takeRight(limit.toLong))
          case Pushdown.Evaluate if ascending => limitPartitions(limit)
          case _ => false
        }
        // Rows are in ascending order within a task, but not across tasks.
        partially = pushed && !(ascending && options.partitions == 1)
        pushed
      }

  /**
   * Whether an order is ascending; None if it is not by a column of the table. The first order is
   * enough: keys, squares and cubes are unique, so further orders have no effect.
   */
  private def ascending(order: SortOrder): Option[Boolean] = order.expression match {
    case ref: NamedReference if options.column(ref.fieldNames.toSeq).nonEmpty =>
      Some(order.direction == SortDirection.ASCENDING)
    case _ => None
  }

  // Spark pushes an offset after a limit that was pushed completely, or without a limit.
  override def pushOffset(offset: Int): Boolean =
    aggregate.isEmpty && !partially && partitionLimit.isEmpty &&
      options.pushdown == Pushdown.Push && select(_.drop(offset.toLong))

  override def isPartiallyPushed: Boolean = partially

  private def isTaken = aggregate.nonEmpty || selected.nonEmpty || partitionLimit.nonEmpty

  /** The keys of the rows that a limit or an aggregate would count; None if they are not known. */
  private def countable: Option[RangeSet] =
    if (options.pushdown == Pushdown.Push) selected.orElse(interpreter.result.exact) else None

  private def select(some: RangeSet => RangeSet): Boolean = {
    val keys = countable.map(some)
    keys.foreach(k => selected = Some(k))
    keys.nonEmpty
  }

  private def limitPartitions(limit: Int): Boolean =
    if (interpreter.residual.nonEmpty) false
    else {
      partitionLimit = Some(limit)
      partially = options.partitions > 1
      true
    }

  override def pruneColumns(required: StructType): Unit = schema = required

  override def build(): Scan = aggregate.getOrElse {
    val scan = RangeDbScan(options, schema, interpreter.result, selected, partitionLimit)
    RangeDbScan.report(
      s"rangedb of ${Numbers.counted(options.rows, "row")}",
      scan.interpretation,
      scan.keys)
    scan
  }
}
