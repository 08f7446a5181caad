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

import io.sparksieve.report.{MeasuredSource, Report}

/**
 * A scan of the table. Equal to another that reads the same columns of the same rows in the same
 * way, whoever loaded it.
 *
 * @param schema
 *   the columns, in the order in which they are returned
 * @param interpretation
 *   what became of the filters
 * @param selected
 *   the keys that a limit leaves of those that pass all filters, which then need not be evaluated
 * @param partitionLimit
 *   how many records that pass a task returns at most
 */
final case class RangeDbScan(
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

  /** The keys that the engine is asked for, before any is taken away while the query runs. */
  def keys: RangeSet = selected.getOrElse(interpretation.ranges)

  private def filters = if (selected.isEmpty) interpretation.evaluated else Nil

  override def readSchema(): StructType = schema

  override def description(): String = {
    val limits =
      selected.map(k => s"limited to $k") ++ partitionLimit.map(n => s"first $n of a task")
    (s"rangedb ($options) $interpretation" +: limits.toSeq).mkString("; ")
  }

  // Spark tells run-time filters by changing the scan, which it may have in several places of a plan,
  // with different filters or none; it then asks for the batch at once, on the same thread. So they
  // are for the next batch of that thread, and no other is filtered by them.
  @transient private lazy val atRunTime = new ThreadLocal[Option[Condition]] {
    override def initialValue: Option[Condition] = None
  }

  override def toBatch: Batch = {
    val runtime = atRunTime.get
    atRunTime.remove()
    val (asked, evaluated) = options.pushdown match {
      case Pushdown.Push => (runtime.map(_.engineKeys(options.keyRange)), None)
      case _ => (None, runtime)
    }
    RangeDbBatch(
      options,
      schema,
      asked.fold(keys)(keys.intersect),
      filters ++ evaluated,
      partitionLimit)
  }

  /** The key; nothing where a limit was pushed, because rows must not be dropped before it. */
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

  /** The rows of a task come by ascending keys, and so by whichever column. */
  override def outputOrdering(): Array[SortOrder] =
    schema.fieldNames
      .filter(RangeColumn.named(_).nonEmpty)
      .take(1)
      .map(name => Expressions.sort(column(name), SortDirection.ASCENDING))

  // Tasks get even shares of what is left to read, so no partition stands for a key of any kind.
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
        RangeDbScan.Room,
        "RangeDbScan",
        s"rangedb of ${options.rows} rows",
        RangeDbMetrics.text(metrics.getOrElse(_, 0L))))
}

object RangeDbScan {
  val Room = "rangesource"

  /** Says in the report of a query whose its filters are, and which keys the engine is asked for. */
  private[rangesource] def report(
      place: => String,
      interpretation: Interpretation,
      asked: RangeSet): Unit =
    Report.applied(
      Room,
      "FilterInterpreter",
      place,
      (s"engine asked for $asked" +: interpretation.texts).mkString("; "))
}
