// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import java.lang.ref.SoftReference
import java.util.{Collections, WeakHashMap}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.QueryPlanningTracker
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Subquery}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec

/**
 * The verdicts of rules on one query, kept while the query is planned to be run: `EXPLAIN` and the
 * tab in Spark's UI show them without planning the query again. A verdict is written out only when
 * someone reads the log.
 *
 * Verdicts reach the log of their query in this way:
 *   1. those of plan normalization are [[PlanningLog.normalizing noted on the thread]], because
 *      nothing in that phase says which query it is;
 *   1. [[AdoptVerdicts]] takes them over when the optimizer begins, where Spark names the query's
 *      tracker; verdicts of the optimizer are added directly;
 *   1. a physical operator carries [[PlanningLog.tag its own]] verdicts.
 */
private[sparksieve] final class PlanningLog {

  private val verdicts = ArrayBuffer.empty[PlanningLog.Verdict]

  private def add(verdict: PlanningLog.Verdict): Unit = synchronized {
    if (verdicts.size < PlanningLog.Max) verdicts += verdict
  }

  /** The verdicts so far, each once, in the order of their rules. */
  def entries: Seq[Report.Entry] = synchronized(verdicts.toVector).map(_.entry).distinct
}

private[sparksieve] object PlanningLog {

  /** The most verdicts that are kept for one query, and for one operator. */
  private val Max = 200

  /** A verdict that is written out when it is read first; it lets go of its plan then. */
  final class Verdict(write: () => Report.Entry) {
    private var writer = write
    private var written: Report.Entry = _

    def entry: Report.Entry = synchronized {
      if (written == null) {
        written = writer()
        writer = null
      }
      written
    }
  }

  @volatile private var on = false

  /** Makes rules keep their verdicts from now on; they do not before someone shows them. */
  def start(): Unit = on = true

  /** Forgets all verdicts when the application ends; the next one may show them to nobody. */
  def stop(): Unit = {
    on = false
    logs.clear()
  }

  private val logs =
    Collections.synchronizedMap(new WeakHashMap[QueryPlanningTracker, PlanningLog])

  private val noted = new ThreadLocal[PlanningLog]
  // Soft, because a plan may be normalized and never optimized, and verdicts refer to their plans.
  private val normalized = new ThreadLocal[SoftReference[PlanningLog]]

  /** Runs `body`, which normalizes a plan, and notes its verdicts for the optimizer's first rule. */
  def normalizing[T](body: => T): T = if (!on) body
  else {
    val outer = noted.get
    val log = new PlanningLog
    noted.set(log)
    try body
    finally {
      if (outer == null) noted.remove() else noted.set(outer)
      // Replaces the verdicts on a plan that was normalized for a cache lookup only.
      normalized.set(new SoftReference(log))
    }
  }

  /** Runs `body` and returns its verdicts apart; [[replay]] adds them later, or nobody does. */
  private[core] def recording[T](body: => T): (T, PlanningLog) = {
    val outer = noted.get
    val log = new PlanningLog
    noted.set(log)
    try body -> log
    finally if (outer == null) noted.remove() else noted.set(outer)
  }

  private[core] def replay(log: PlanningLog): Unit =
    if (on) current.foreach(to => log.synchronized(log.verdicts.toVector).foreach(to.add))

  /** Gives the verdicts of normalization to the query that this thread optimizes. */
  private[core] def adopt(): Unit = {
    Option(normalized.get).flatMap(log => Option(log.get)).foreach { log =>
      QueryPlanningTracker.get.foreach { tracker =>
        normalized.remove()
        logs.putIfAbsent(tracker, log)
      }
    }
  }

  private def current: Option[PlanningLog] =
    Option(noted.get).orElse(QueryPlanningTracker.get.flatMap(of))

  /** Adds the verdict of a rule over logical plans to the log of the query that it is planning. */
  private[core] def add(entry: => Report.Entry): Unit =
    if (on) current.foreach(_.add(new Verdict(() => entry)))

  /** The log of the query with this tracker; None if it was planned before [[start]]. */
  def of(tracker: QueryPlanningTracker): Option[PlanningLog] = Option(logs.get(tracker))

  private val OnNode = TreeNodeTag[Seq[Verdict]]("sieve.verdicts")
  private val OnRoot = TreeNodeTag[PlanningLog]("sieve.planning")

  /** Adds the verdict on a physical operator to the operator. */
  private[core] def tag(node: SparkPlan, entry: => Report.Entry): Unit = if (on) {
    val before = node.getTagValue(OnNode).getOrElse(Nil)
    if (before.size < Max) node.setTagValue(OnNode, before :+ new Verdict(() => entry))
  }

  /** The verdicts on one physical operator. */
  def on(node: SparkPlan): Seq[Report.Entry] =
    node.getTagValue(OnNode).getOrElse(Nil).map(_.entry)

  /** Ties the log of the query that this thread optimizes to the optimized plan. */
  private[core] def tie(optimized: LogicalPlan): Unit =
    if (on) QueryPlanningTracker.get.flatMap(of).foreach(optimized.setTagValue(OnRoot, _))

  /** The log tied to the optimized plan that a physical plan was made from. */
  def of(plan: SparkPlan): Option[PlanningLog] = {
    val planned = plan match {
      case adaptive: AdaptiveSparkPlanExec => adaptive.inputPlan
      case other => other
    }
    // The root may have been planned from a node around the optimized plan's root.
    def around(link: LogicalPlan) = link +: link.children
    planned
      .collectFirst(Function.unlift((node: SparkPlan) =>
        node.logicalLink.toSeq.flatMap(around).flatMap(_.getTagValue(OnRoot)).headOption))
  }
}

/** Takes over the verdicts of plan normalization; changes no plan. See [[PlanningLog]]. */
private[sparksieve] object AdoptVerdicts extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    PlanningLog.adopt()
    plan
  }
}

/** Ties the verdicts on a query to its optimized plan, which it does not change otherwise. */
private[sparksieve] object TieVerdicts extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan match {
      case _: Subquery =>
      case root => PlanningLog.tie(root)
    }
    plan
  }
}
