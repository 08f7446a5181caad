// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Range}
import org.apache.spark.sql.execution.{RangeExec, SparkPlan, SparkStrategy, UnaryExecNode}
import org.apache.spark.sql.execution.metric.SQLMetrics

import io.sparksieve.report.core.{Measured, Report}

/** An operator that counts its output rows, and adds the count to the report. */
final case class MeasuringExec(place: String, child: SparkPlan)
    extends UnaryExecNode
    with Measured {

  override lazy val metrics = Map("rows" -> SQLMetrics.createMetric(sparkContext, "rows"))

  override def output: Seq[Attribute] = child.output

  override protected def doExecute(): RDD[InternalRow] = {
    val rows = longMetric("rows")
    child.execute().mapPartitions(_.map { row => rows += 1; row })
  }

  override def measurements: Seq[Report.Entry] = {
    MeasuringExec.reads.incrementAndGet()
    if (place.startsWith("range of 13 ")) throw new IllegalStateException("cannot measure thirteen")
    Seq(Report.measured("test", "Measuring", place, s"${longMetric("rows").value} rows"))
  }

  override protected def withNewChildInternal(newChild: SparkPlan): MeasuringExec =
    copy(child = newChild)
}

object MeasuringExec {

  /** How often the measurements of such operators were read. */
  val reads = new AtomicInteger
}

/** Puts a [[MeasuringExec]] above every `range` of more than one number. */
object MeasureRanges extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case range: Range if range.numElements > 1 =>
      val place = s"range of ${range.numElements} numbers"
      Report.applied("test", "MeasureRanges", place, "counts the rows")
      Seq(MeasuringExec(place, RangeExec(range)))
    case _ => Nil
  }
}
