// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import java.util.OptionalLong

import org.apache.spark.sql.connector.expressions.{
  Expressions,
  NamedReference,
  SortDirection,
  SortOrder
}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.metric.CustomMetric
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.connector.read.partitioning.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.types.StructType

import io.sparksieve.common.Numbers
import io.sparksieve.report.core.{Features, MeasuredSource, Report}

/**
 * A scan of the table. Scans that read the same columns of the same rows in the same way are equal,
 * even if their tables were loaded separately.
 *
 * @param schema
 *   the columns, in the order in which they are returned
 * @param interpretation
 *   the interpretation of the filters
 * @param selected
 *   the keys that pass all filters and remain after limit and offset; the filters are then not
 *   evaluated. None if neither was pushed as keys
 * @param partitionLimit
 *   the maximum number of passing records that a task returns
 */
private[rangesource] final case class RangeDbScan(
    options: RangeDbOptions,
    schema: StructType,
    interpretation: Interpretation,
    selected: Option[RangeSet],
    partitionLimit: Option[Int])
    extends Scan
    with SupportsRuntimeV2Filtering
    with SupportsReportStatistics
    with SupportsReportOrdering
    with SupportsReportPartitioning
    with MeasuredSource {

  /** The keys that are requested from the engine, before runtime filters remove any. */
  def keys: RangeSet = selected.getOrElse(interpretation.ranges)

  private def filters = if (selected.isEmpty) interpretation.evaluated else Nil

  override def readSchema(): StructType = schema

  override def description(): String = {
    val limits =
      selected.map(k => s"limited to $k") ++ partitionLimit.map(n => s"first $n of a task")
    (s"rangedb ($options) $interpretation" +: limits.toSeq).mkString("; ")
  }

  // Spark pushes runtime filters by calling `filter` on the scan, and then calls `toBatch` at once,
  // on the same thread. The same scan object may appear in several places of a plan, with different
  // runtime filters or none. So the filters apply only to the next batch of the same thread.
  @transient private lazy val atRunTime = new ThreadLocal[Option[Condition]] {
    override def initialValue: Option[Condition] = None
  }

  override def toBatch: Batch = {
    val runtime = atRunTime.get
    atRunTime.remove()
    val (requested, evaluated) = options.pushdown match {
      case Pushdown.Push => (runtime.map(_.engineKeys(options.keyRange)), None)
      case _ => (None, runtime)
    }
    RangeDbBatch(
      options,
      schema,
      requested.fold(keys)(keys.intersect),
      filters ++ evaluated,
      partitionLimit)
  }

  /** The key; empty if a limit was pushed, because no row may be dropped before the limit. */
  override def filterAttributes(): Array[NamedReference] =
    if (selected.isEmpty && partitionLimit.isEmpty && options.pushdown != Pushdown.Leave)
      schema.fieldNames.filter(RangeColumn.named(_).contains(RangeColumn.Key)).map(column)
    else Array.empty

  override def filter(predicates: Array[Predicate]): Unit =
    if (filterAttributes().nonEmpty) {
      val conditions = predicates.toSeq.map(new V2Predicates(options).apply(_).whenTrue)
      val before = atRunTime.get.toSeq
      atRunTime.set(Some(Condition.AllOf(before ++ conditions)))
    }

  private def column(name: String): NamedReference = Expressions.column(name)

  /** A task returns rows by ascending key, and therefore in the order of every column. */
  override def outputOrdering(): Array[SortOrder] =
    schema.fieldNames
      .filter(RangeColumn.named(_).nonEmpty)
      .take(1)
      .map(name => Expressions.sort(column(name), SortDirection.ASCENDING))

  // Tasks get even shares of the keys that remain to be read, so partitions have no partition key.
  override def outputPartitioning(): Partitioning =
    new UnknownPartitioning(keys.split(options.partitions).size)

  override def estimateStatistics(): Statistics = {
    val rows = selected.orElse(interpretation.exact).getOrElse(keys).size
    new Statistics {
      override def numRows(): OptionalLong = OptionalLong.of(rows)
      override def sizeInBytes(): OptionalLong = OptionalLong.of(rows * (8 + schema.defaultSize))
    }
  }

  override def supportedCustomMetrics(): Array[CustomMetric] = RangeDbMetrics.supported

  override def measurements(metrics: Map[String, Long]): Seq[Report.Entry] =
    Seq(
      Report.measured(
        Features.RangeSource,
        "RangeDbScan",
        s"rangedb of ${Numbers.counted(options.rows, "row")}",
        RangeDbMetrics.text(metrics.getOrElse(_, 0L))))
}

private[rangesource] object RangeDbScan {

  /** Reports the layer of each filter of a query, and the keys that the engine reads. */
  private[rangesource] def report(
      place: => String,
      interpretation: Interpretation,
      requested: RangeSet): Unit =
    Report.applied(
      Features.RangeSource,
      "FilterInterpreter",
      place,
      (s"engine reads $requested" +: interpretation.texts).mkString("; "))
}
