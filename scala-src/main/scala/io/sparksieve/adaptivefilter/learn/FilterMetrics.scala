// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.util.LongAccumulator

import io.sparksieve.common.Shorten

/**
 * What tasks report about a filter's learned order: metrics of the operator, and the history of its
 * orders.
 *
 * @param evaluationsSaved
 *   compared with the written order; 0 if the written order takes no more
 * @param timeSaved
 *   in nanoseconds, compared in the same way
 * @param took
 *   nanoseconds of the tasks from their first row on; None for a predicate's parts, because their
 *   filter already counts this time
 * @param percents
 *   for each predicate, as written, the percentage of evaluated rows that pass
 * @param nanos
 *   for each predicate, as written, nanoseconds of one evaluation
 */
private[adaptivefilter] final case class FilterMetrics(
    reorders: SQLMetric,
    evaluationsSaved: SQLMetric,
    timeSaved: SQLMetric,
    took: Option[LongAccumulator],
    percents: Seq[SQLMetric],
    nanos: Seq[SQLMetric],
    history: OrderHistory) {

  /** Sets the metrics of each predicate at the end of a task, as far as they are known. */
  def predicates(passRates: Array[Double], costs: Array[Double]): Unit = {
    set(percents, passRates.map(_ * 100))
    set(nanos, costs)
  }

  private def set(metrics: Seq[SQLMetric], values: Array[Double]): Unit =
    metrics.zip(values).foreach { case (metric, value) =>
      if (!value.isNaN) metric.set(value)
    }
}

private[adaptivefilter] object FilterMetrics {

  /** The metrics of an operator with these predicates, by name. */
  def metrics(sc: SparkContext, predicates: Seq[String]): Map[String, SQLMetric] = {
    val names = predicates.map(short)
    def each(key: String, about: String) = names.zipWithIndex.map { case (name, k) =>
      s"$key${k + 1}" -> SQLMetrics.createAverageMetric(sc, s"$name: $about")
    }
    Map(
      "numReorders" -> SQLMetrics.createMetric(sc, "number of new orders"),
      "evaluationsSaved" -> SQLMetrics.createMetric(sc, "evaluations saved (estimated)"),
      "timeSaved" -> SQLMetrics.createNanoTimingMetric(sc, "time saved (estimated)")
    ) ++ each("passPercent", "percent of rows that pass") ++ each("nanos", "nanoseconds each")
  }

  /** A predicate's text as part of the name of a metric. */
  private def short(sql: String) =
    Shorten(sql.take(4 * MaxLength).replaceAll("\\s+", " "), MaxLength)

  private final val MaxLength = 60

  def apply(
      metrics: Map[String, SQLMetric],
      n: Int,
      history: OrderHistory,
      took: Option[LongAccumulator]): FilterMetrics = FilterMetrics(
    metrics("numReorders"),
    metrics("evaluationsSaved"),
    metrics("timeSaved"),
    took,
    (1 to n).map(k => metrics(s"passPercent$k")),
    (1 to n).map(k => metrics(s"nanos$k")),
    history
  )
}
