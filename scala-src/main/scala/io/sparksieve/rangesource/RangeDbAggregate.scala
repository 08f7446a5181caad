// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.expressions.{Expression, NamedReference}
import org.apache.spark.sql.connector.expressions.aggregate._
import org.apache.spark.sql.connector.read.LocalScan
import org.apache.spark.sql.types._

/**
 * The single row of COUNT, MIN and MAX over the rows with the keys `keys`, which is computed
 * without the engine.
 */
private[rangesource] final case class RangeDbAggregate(
    options: RangeDbOptions,
    interpretation: Interpretation,
    keys: RangeSet,
    schema: StructType,
    values: Seq[Option[RangeDbAggregate.Cell]])
    extends LocalScan {

  override def readSchema(): StructType = schema

  override def rows(): Array[InternalRow] =
    Array(InternalRow.fromSeq(values.map(_.map(_.value).orNull)))

  override def description(): String = s"rangedb ($options) $interpretation; computed from $keys"
}

private[rangesource] object RangeDbAggregate {

  /** A value in Spark's internal form. */
  final case class Cell(value: Any)

  /** None for GROUP BY, and for functions other than COUNT(*) and COUNT, MIN and MAX of columns. */
  def apply(
      options: RangeDbOptions,
      interpretation: Interpretation,
      keys: RangeSet,
      aggregation: Aggregation): Option[RangeDbAggregate] = {
    val computed = aggregation.aggregateExpressions.toSeq.map(compute(options, keys, _))
    if (aggregation.groupByExpressions.nonEmpty || computed.exists(_.isEmpty)) None
    else {
      val (fields, values) = computed.flatten.unzip
      Some(RangeDbAggregate(options, interpretation, keys, StructType(fields), values))
    }
  }

  private def compute(
      options: RangeDbOptions,
      keys: RangeSet,
      function: AggregateFunc): Option[(StructField, Option[Cell])] = {
    def count = Some((StructField(s"$function", LongType, nullable = false), Some(Cell(keys.size))))
    def extreme(column: Expression, key: => Long) = column match {
      case ref: NamedReference =>
        options.column(ref.fieldNames.toSeq).map { column =>
          val row = new RecordRow(StructType(Seq(field(options, column))))
          val cell =
            if (keys.isEmpty) None
            else
              Some(
                Cell(
                  row.of(RangeDbRecord(key.toInt)).copy().get(0, field(options, column).dataType)))
          (field(options, column).copy(name = s"$function", nullable = true), cell)
        }
      case _ => None
    }
    function match {
      case _: CountStar => count
      // No column has NULLs, and no column has a value twice.
      case c: Count =>
        c.column match {
          case ref: NamedReference if options.has(ref.fieldNames.toSeq) => count
          case _ => None
        }
      case m: Min => extreme(m.column, keys.ranges.head.low)
      case m: Max => extreme(m.column, keys.ranges.last.high)
      case _ => None
    }
  }

  private def field(options: RangeDbOptions, column: RangeColumn) =
    StructField(column.name, column.dataType(options.rows), nullable = false)
}
