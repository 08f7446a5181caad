// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.exec

import java.util.concurrent.TimeUnit

import org.apache.commons.codec.digest.DigestUtils

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{ExplainUtils, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.sieve.Redacted

import io.sparksieve.adaptivefilter.learn.{
  EarlierRun,
  FilterMetrics,
  FilterRunHistory,
  OrderEvent,
  OrderHistory
}
import io.sparksieve.adaptivefilter.predicate.{Conjunct, Conjuncts, Precedence}
import io.sparksieve.adaptivefilter.run.FilterHandle
import io.sparksieve.conf.{PolicySettings, SieveConf}
import io.sparksieve.report.core.{
  Gains,
  Measured,
  OperatorDescription,
  OrderSnapshot,
  Report,
  RowFilterExec,
  ScanNames
}

/** The common base of adaptive filters, which keep the same rows as Spark's FilterExec. */
private[sparksieve] trait AdaptiveFilter extends UnaryExecNode with Measured with RowFilterExec {

  /** The filter keeps the rows for which this condition is true. */
  def condition: Expression

  override def predicate: Expression = condition

  override def rowsKept: Option[Long] = Some(longMetric("numOutputRows").value)

  /** The predicates, in the order in which Spark would evaluate them. */
  @transient protected lazy val conjuncts: Seq[Conjunct] = split(condition)

  /** Splits a condition into the predicates whose order is learned. */
  protected def split(condition: Expression): Seq[Conjunct] =
    Conjuncts.of(condition, child.output)

  /** The [[conjuncts]] with each subquery, which has run by now, replaced by its value. */
  protected def prepared: Seq[Conjunct] = conjuncts.map(_.prepared)

  @transient private lazy val precedence: Precedence = Precedence.of(conjuncts)

  @transient private lazy val settings: PolicySettings = SieveConf.adaptiveFilterPolicy(conf)

  @transient private lazy val history: OrderHistory = OrderHistory.registered(sparkContext)

  @transient private lazy val took = sparkContext.longAccumulator

  @transient private lazy val partHistories: Map[Int, PartHistory] =
    PartHistory.of(conjuncts, sparkContext)

  /** @param ready [[prepared]] */
  protected def handle(ready: Seq[Conjunct]): FilterHandle = {
    val key = FilterKey(ready, settings, child)
    val parts =
      PartHistory.handles(
        partHistories,
        ready,
        key,
        settings,
        FilterMetrics(metrics, 0, _, took = None))
    FilterRunHistory.add(
      FilterKey(Conjuncts.of(condition, child.output), settings, child),
      EarlierRun(metrics("timeSaved"), took))
    val filterMetrics = FilterMetrics(metrics, conjuncts.size, history, Some(took))
    new FilterHandle(key, precedence, settings, filterMetrics, parts)
  }

  protected def filterMetrics: Map[String, SQLMetric] =
    FilterMetrics.metrics(sparkContext, conjuncts.map(c => Redacted(conf, c.sql))) +
      ("numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"))

  override def output: Seq[Attribute] = {
    val notNull = Conjuncts.neverNull(condition, child.output)
    child.output.map(a => if (notNull.contains(a)) a.withNullability(false) else a)
  }

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  /** The orders that the filter's tasks have reported, sorted by time. */
  def orders: Vector[OrderEvent] = history.ordered

  override def gains: Gains =
    Gains(millis = TimeUnit.NANOSECONDS.toMillis(longMetric("timeSaved").value))

  override def measurements: Seq[Report.Entry] =
    AdaptiveFilterReport(this, conjuncts, orders, longMetric("numOutputRows").value) ++
      AdaptiveFilterReport.parts(this, conjuncts, partHistories)

  override def moments: Seq[OrderSnapshot] =
    AdaptiveFilterReport.moments(OperatorDescription.filterOver(child), conjuncts, orders)

  override def nodeName: String = "AdaptiveFilter"

  override def simpleString(maxFields: Int): String = {
    val predicates = conjuncts.map { c =>
      val marks = Seq(
        "may fail" -> c.fallible,
        "may be slow" -> c.isSlow,
        "not deterministic" -> !c.deterministic)
      val said = marks.collect { case (mark, true) => mark }
      c.predicate.toString + (if (said.isEmpty) "" else said.mkString(" (", ", ", ")"))
    }
    s"$nodeName [${predicates.mkString(", ")}], ${settings.policy}"
  }

  /** For `EXPLAIN FORMATTED`: each predicate on a line, and the order once the filter has run. */
  override def verboseStringWithOperatorId(): String = {
    val lines = conjuncts.zipWithIndex.map { case (c, k) => s"  ${k + 1}. ${c.sql}" }
    val last = orders.lastOption.map(_.order.map(_ + 1).mkString(", "))
    s"""
       |$formattedNodeName
       |${ExplainUtils.generateFieldString("Input", child.output)}
       |Predicates:
       |${lines.mkString("\n")}
       |Order: ${last.getOrElse("learned while the query runs")}
       |Policy: ${settings.policy}
       |""".stripMargin
  }
}

/** Builds the key of a filter: filters with equal keys share what their tasks learn. */
private[adaptivefilter] object FilterKey {

  /** @param child what the filter reads */
  def apply(conjuncts: Seq[Conjunct], settings: PolicySettings, child: SparkPlan): String = {
    // Adds the position of a column, because names may repeat and ids differ between queries.
    val places = child.output.zipWithIndex.map { case (a, i) => a.exprId -> i }.toMap
    def text(c: Conjunct): String = {
      val placed = c.predicate.transform { case a: AttributeReference =>
        a.withName(s"${places.getOrElse(a.exprId, -1)} ${a.name}").withQualifier(Nil)
      }
      // The order of the parts is learned for these parts only, and the filter over rows may split
      // a predicate into other parts than the filter over batches.
      val parts = if (c.exclusions.isEmpty) "" else all(c.exclusions).mkString("\n", "\n", "")
      placed.sql + parts
    }
    def all(conjuncts: Seq[Conjunct]) = Precedence.of(conjuncts).toString +: conjuncts.map(text)
    val sources = child.collectLeaves().map(ScanNames(_))
    // A hash, to keep keys short: each task also receives a key for each predicate with parts.
    DigestUtils.sha256Hex((settings.toString +: (all(conjuncts) ++ sources)).mkString("\n"))
  }
}
