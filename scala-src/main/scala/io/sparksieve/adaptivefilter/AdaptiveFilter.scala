package io.sparksieve.adaptivefilter

import org.apache.commons.codec.digest.DigestUtils

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import io.sparksieve.SieveConf
import io.sparksieve.report.{Measured, Moment, Report, ScanNames}
import io.sparksieve.report.pushdown.AsksRows

/** What the forms of an adaptive filter have in common: it filters as Spark's FilterExec does. */
trait AdaptiveFilter extends UnaryExecNode with Measured with AsksRows {

  /** Rows for which it is true are kept. */
  def condition: Expression

  override def asked: Expression = condition

  override def rowsKept: Option[Long] = Some(longMetric("numOutputRows").value)

  /** The predicates, as Spark would ask them. */
  @transient protected lazy val conjuncts: Seq[Conjunct] = split(condition)

  /** The predicates of a condition, each to be asked by itself. */
  protected def split(condition: Expression): Seq[Conjunct] =
    Conjuncts.of(condition, child.output)

  /** As [[conjuncts]], with the values of subqueries, which have run by now. */
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
      PartHistory.handles(partHistories, ready, key, settings, Told(metrics, 0, _, took = None))
    EarlierRuns.add(
      FilterKey(Conjuncts.of(condition, child.output), settings, child),
      EarlierRun(metrics("timeSaved"), took))
    val told = Told(metrics, conjuncts.size, history, Some(took))
    new FilterHandle(key, precedence, settings, told, parts)
  }

  protected def filterMetrics: Map[String, SQLMetric] = Told.metrics(sparkContext, conjuncts.size) +
    ("numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"))

  override def output: Seq[Attribute] = {
    val notNull = Conjuncts.neverNull(condition, child.output)
    child.output.map(a => if (notNull.contains(a)) a.withNullability(false) else a)
  }

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  /** What the filter's tasks have told of their orders, in the order of time. */
  def orders: Vector[OrderEvent] = history.ordered

  override def measurements: Seq[Report.Entry] =
    AdaptiveFilterReport(this, conjuncts, orders, longMetric("numOutputRows").value) ++
      AdaptiveFilterReport.parts(this, conjuncts, partHistories)

  override def moments: Seq[Moment] = AdaptiveFilterReport.moments(Place(child), conjuncts, orders)

  override def nodeName: String = "AdaptiveFilter"

  override def simpleString(maxFields: Int): String = {
    val predicates = conjuncts.map { c =>
      val marks = Seq("may fail" -> c.fallible, "not deterministic" -> !c.deterministic)
      val said = marks.collect { case (mark, true) => mark }
      c.predicate.toString + (if (said.isEmpty) "" else said.mkString(" (", ", ", ")"))
    }
    s"$nodeName [${predicates.mkString(", ")}], ${settings.policy}"
  }
}

/** Names a filter: equal for filters whose tasks share what they learn. */
private[adaptivefilter] object FilterKey {

  /** @param child what the filter reads */
  def apply(conjuncts: Seq[Conjunct], settings: PolicySettings, child: SparkPlan): String = {
    // The place tells columns of one name apart; ids differ from query to query.
    val places = child.output.zipWithIndex.map { case (a, i) => a.exprId -> i }.toMap
    def text(c: Conjunct): String = {
      val placed = c.predicate.transform { case a: AttributeReference =>
        a.withName(s"${places.getOrElse(a.exprId, -1)} ${a.name}").withQualifier(Nil)
      }
      // What is learned of the parts is for these parts only: rows may have others than batches.
      val parts = if (c.exclusions.isEmpty) "" else all(c.exclusions).mkString("\n", "\n", "")
      placed.sql + parts
    }
    def all(conjuncts: Seq[Conjunct]) = Precedence.of(conjuncts).toString +: conjuncts.map(text)
    val sources = child.collectLeaves().map(ScanNames(_))
    // Short, for a task is sent one for each part, too.
    DigestUtils.sha256Hex((settings.toString +: (all(conjuncts) ++ sources)).mkString("\n"))
  }
}
