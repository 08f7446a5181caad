// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.util.concurrent.TimeUnit

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

/**
 * The SQL metrics of the data that a [[DynamicScanExec]] skips. They are created on first use,
 * under this object's lock and not the operator's, which Spark holds while it waits for keys.
 */
private[sparksieve] final class ScanMetrics(context: => SparkContext) {

  lazy val all: Map[String, SQLMetric] = Map(
    "numRanges" -> SQLMetrics.createMetric(context, "ranges pushed into the scan"),
    "filesBefore" -> SQLMetrics.createMetric(context, "files before skipping"),
    "filesSkipped" -> SQLMetrics.createMetric(context, "files skipped"),
    "footersRead" -> SQLMetrics.createMetric(context, "footers read"),
    "footerTime" -> SQLMetrics.createTimingMetric(context, "time to read footers"),
    "rowGroupsSkipped" -> SQLMetrics.createMetric(context, "row groups skipped by footers")
  )

  def rangesPushed(ranges: Int): Unit = all("numRanges").set(ranges.toLong)

  def filesSkipped(before: Long, kept: Long): Unit = {
    all("filesBefore").set(before)
    all("filesSkipped").set(before - kept)
  }

  def footersRead(footers: Int, nanos: Long): Unit = {
    all("footersRead").set(footers.toLong)
    all("footerTime").set(TimeUnit.NANOSECONDS.toMillis(nanos))
  }

  def rowGroupsSkipped(rowGroups: Int): Unit = all("rowGroupsSkipped").set(rowGroups.toLong)

  /** Posts the values, which only the driver sets, to the UI of the running query. */
  def post(): Unit = {
    val execution = context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    SQLMetrics.postDriverMetricUpdates(context, execution, all.values.toSeq)
  }
}
