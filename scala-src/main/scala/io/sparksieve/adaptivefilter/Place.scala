package io.sparksieve.adaptivefilter

import org.apache.spark.sql.execution.SparkPlan

import io.sparksieve.report.ScanNames

/** Names a filter in reports by the sources that it reads. */
private[adaptivefilter] object Place {

  def apply(child: SparkPlan): String =
    s"Filter over ${child.collectLeaves().map(ScanNames(_)).mkString(", ")}"
}
