// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import scala.jdk.CollectionConverters._

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{Row, SQLContext}
import org.apache.spark.sql.sources._
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.LongAccumulator

import io.sparksieve.common.Numbers
import io.sparksieve.report.core.{Features, MeasuredSource, Report, ReportsPushdown, Step}

/**
 * `spark.read.format("rangedb-v1")`: the same table through DSv1, which pushes down only filters
 * and columns; `RangeDbOptions` has its options.
 */
final class RangeDbV1Source extends RelationProvider with DataSourceRegister {

  override def shortName(): String = "rangedb-v1"

  override def createRelation(
      sqlContext: SQLContext,
      parameters: Map[String, String]): BaseRelation =
    RangeDbRelation(RangeDbOptions(parameters.asJava))(sqlContext)
}

/** The DSv1 relation of the table. Relations with the same options are equal. */
private[sparksieve] final case class RangeDbRelation(options: RangeDbOptions)(
    @transient override val sqlContext: SQLContext)
    extends BaseRelation
    with PrunedFilteredScan
    with ReportsPushdown {

  override def schema: StructType = options.schema

  override def sizeInBytes: Long = options.rows.toLong * (8 + schema.defaultSize)

  /** The interpretation of filters. */
  def interpreted(filters: Seq[Filter]): Interpretation =
    FilterInterpreter.v1(filters, options).result

  override def steps(offered: Seq[Any]): Map[Any, Step] =
    FilterInterpreter.v1(offered.collect { case f: Filter => f }, options).steps

  override def unhandledFilters(filters: Array[Filter]): Array[Filter] =
    FilterInterpreter.v1(filters.toSeq, options).residual.toArray

  override def buildScan(requiredColumns: Array[String], filters: Array[Filter]): RDD[Row] = {
    val result = interpreted(filters.toSeq)
    RangeDbScan.report(
      s"rangedb-v1 of ${Numbers.counted(options.rows, "row")}",
      result,
      result.ranges)
    val columns = StructType(requiredColumns.map(name => schema(schema.fieldIndex(name))))
    new RangeDbRdd(
      sqlContext.sparkContext,
      columns,
      options,
      RangeDbReading.partitions(options, result.ranges, result.evaluated, None))
  }
}

/**
 * The rows of a scan of [[RangeDbRelation]]. The metrics of [[RangeDbMetrics]], which are custom
 * metrics in DSv2, are accumulators here; the Spark UI shows them with the stage.
 */
private[rangesource] final class RangeDbRdd(
    @transient context: SparkContext,
    schema: StructType,
    options: RangeDbOptions,
    @transient slices: Seq[RangeDbPartition])
    extends RDD[Row](context, Nil)
    with MeasuredSource {

  /** The accumulators, by their names in [[RangeDbMetrics]]. */
  val counters: Map[String, LongAccumulator] = RangeDbMetrics.supported
    .map(m => m.name -> sparkContext.longAccumulator(s"rangedb-v1: ${m.description}"))
    .toMap

  override protected def getPartitions: Array[Partition] =
    slices.zipWithIndex.map { case (slice, i) => RangeDbRdd.Slice(i, slice) }.toArray

  override def compute(split: Partition, task: TaskContext): Iterator[Row] = split match {
    case RangeDbRdd.Slice(_, slice) =>
      val records = new RangeDbReading(slice)
      task.addTaskCompletionListener[Unit](_ =>
        records.counters.foreach(c => counters(c.name).add(c.value)))
      val values = schema.fields.map(f => RangeDbRdd.value(f.name, options))
      records.map(record => Row.fromSeq(values.map(_(record)).toSeq))
    case other => throw new IllegalArgumentException(s"not a partition of rangedb: $other")
  }

  override def measurements(metrics: Map[String, Long]): Seq[Report.Entry] =
    Seq(
      Report.measured(
        Features.RangeSource,
        "RangeDbRelation",
        s"rangedb-v1 of ${Numbers.counted(options.rows, "row")}",
        RangeDbMetrics.text(counters(_).value)))
}

private[rangesource] object RangeDbRdd {

  final case class Slice(index: Int, slice: RangeDbPartition) extends Partition

  private def value(column: String, options: RangeDbOptions): RangeDbRecord => Any =
    RangeColumn.named(column) match {
      case Some(RangeColumn.Key) => _.key
      case Some(RangeColumn.Squared) => _.squared
      case Some(RangeColumn.Cubed) =>
        if (options.rows <= RangeDb.MaxLongCube) _.cubed
        else r => new java.math.BigDecimal(r.wideCubed)
      case None =>
        val inner = Seq(RangeColumn.Squared, RangeColumn.Cubed).map(c => value(c.name, options))
        r => Row.fromSeq(inner.map(_(r)))
    }
}
