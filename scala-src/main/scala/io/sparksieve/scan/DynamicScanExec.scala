// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.vectorized.ColumnarBatch

import io.sparksieve.common.Numbers
import io.sparksieve.report.core.{Gains, Measured, PrunesScan, Report, ScanNames}

/**
 * Runs its child, a scan, with filters whose keys are known only at run time. The child stays in
 * the plan as Spark planned it and shows the metrics of the read; a copy with the filters runs.
 * The output contains every row of the child whose filtered columns all match their keys, and
 * possibly other rows, so an operator above must test the rows.
 *
 * @param child
 *   a FileSourceScanExec or a BatchScanExec
 */
private[sparksieve] final case class DynamicScanExec(filters: Seq[ScanFilter], child: SparkPlan)
    extends UnaryExecNode
    with Measured
    with PrunesScan {

  @transient private val scanMetrics = new ScanMetrics(sparkContext)

  @transient private val lock = new Object

  @transient private var made: Option[SparkPlan] = None

  override def output: Seq[Attribute] = child.output

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  override def supportsColumnar: Boolean = child.supportsColumnar

  override def supportsRowBased: Boolean = child.supportsRowBased

  override def vectorTypes: Option[Seq[String]] = child.vectorTypes

  /** No plans of keys: the filter above the scan shows them. */
  override def innerChildren: Seq[QueryPlan[_]] = Nil

  override def simpleString(maxFields: Int): String =
    s"$nodeName by keys of ${filters.map(_.column).mkString(", ")}"

  override def metrics: Map[String, SQLMetric] = scanMetrics.all

  // Spark waits for the keys before it calls either of these methods.
  override protected def doExecute(): RDD[InternalRow] = counted(_.execute())

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = counted(_.executeColumnar())

  private def counted[T](run: SparkPlan => RDD[T]): RDD[T] = {
    val rows = run(scan)
    scanMetrics.post()
    rows
  }

  /**
   * The scan that runs. Created once: a second scan would list and prune files, and count in the
   * metrics, again.
   */
  private def scan: SparkPlan = lock.synchronized {
    val scan = made.getOrElse(filtered())
    made = Some(scan)
    scan
  }

  private def filtered(): SparkPlan = {
    val keys = filters.flatMap { filter =>
      filter.keys.keys
        .filter(_ => KeyRanges.comparable(filter.column.dataType, filter.keys.keyType))
        .map(filter.column -> _)
    }
    child match {
      case files: FileSourceScanExec if keys.nonEmpty =>
        FilteredFileScan(files, keys, conf, scanMetrics)
      case batch: BatchScanExec if keys.nonEmpty =>
        FilteredBatchScan(batch, keys, conf, scanMetrics)
      case _ => child
    }
  }

  override def gains: Gains =
    Gains(files = longMetric("filesBefore").value, filesSkipped = longMetric("filesSkipped").value)

  override def measurements: Seq[Report.Entry] = {
    def count(name: String) = longMetric(name).value
    val skipped = s"${Numbers.of(count("filesSkipped"), count("filesBefore"), "file")} skipped"
    val footers =
      if (count("footersRead") == 0) ""
      else
        s" (${Numbers.counted(count("footersRead"), "footer")} read in " +
          s"${Numbers.count(count("footerTime"))} ms)"
    val ranges = count("numRanges") match {
      case 0 => ""
      case 1 => "; row groups pruned by one range of keys"
      case n => s"; row groups pruned by ${Numbers.count(n)} ranges of keys"
    }
    val place = s"${filters.map(_.column.name).mkString(", ")} of ${ScanNames(child)}"
    val hasRun = count("filesBefore") > 0 || count("numRanges") > 0
    if (hasRun)
      Seq(Report.measured(filters.head.keys.feature, nodeName, place, skipped + footers + ranges))
    else Nil
  }

  override protected def withNewChildInternal(newChild: SparkPlan): DynamicScanExec =
    copy(child = newChild)
}
