// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.internal.Logging
import org.apache.spark.util.TaskCompletionListener

import io.sparksieve.adaptivefilter.predicate.Precedence
import io.sparksieve.conf.PolicySettings

/**
 * Learns the order of a filter in one task, and reports it in metrics. Not thread-safe.
 *
 * A task begins with the order of its executor. Under the policy `greedy` it uses its own samples
 * as soon as it has [[TaskOrderLearner.EnoughOwn]] of them: tasks that run at the same time read
 * different parts of a table, and if these parts differ, no shared order suits any of the tasks.
 */
private[adaptivefilter] final class TaskOrderLearner private (
    state: FilterState,
    precedence: Precedence,
    settings: PolicySettings,
    metrics: FilterMetrics)
    extends Logging {

  private val waiting = ArrayBuffer.empty[Sample]
  private val written = precedence.written
  private val begun = System.nanoTime()
  private var latest: Sample = _
  private val saving = new SavingsEstimator(written)
  private var last: Option[FilterState.Learned] = None
  private val own =
    if (settings.policy == PolicySettings.Rank) None else Some(OrderPolicy(settings, precedence))
  private var ownSamples = 0
  private var ownOrder: Array[Int] = _

  /** The current order. */
  def order: Array[Int] = if (ownOrder == null) state.order else ownOrder

  /** Keeps a sample for the next call of [[update]]. */
  def add(sample: Sample): Unit = {
    waiting += sample
    own.foreach(_.learn(sample))
    ownSamples += 1
    if (sample.rows > 0) latest = sample
  }

  /** Decides on the order by the samples kept so far, and updates the executor's state too. */
  def update(): Unit = update(waits = false)

  private def update(waits: Boolean): Unit = if (waiting.nonEmpty) {
    val before = order
    if (latest != null) saving.account(latest, before)
    val shared = state.learn(waiting.toVector, waits)
    if (shared.nonEmpty) waiting.clear()
    val learned = own.filter(_ => ownSamples >= TaskOrderLearner.EnoughOwn).map { policy =>
      FilterState.decide(policy, precedence, before)
    }
    learned.foreach(l => ownOrder = l.order)
    learned.orElse(shared).foreach { learned =>
      last = Some(learned)
      if (learned.changed) {
        metrics.reorders.add(1)
        if (settings.verbose) logInfo(s"Order of predicates: ${learned.order.mkString(", ")}")
        metrics.history.add(TaskOrderLearner.event(learned))
      }
    }
  }

  /** Counts filtered rows, to estimate what the order has saved. */
  def filtered(count: Long): Unit = saving.filtered(count)

  /** Runs `body` at the end of the task, before the last call of [[update]]. */
  def atEnd(body: => Unit): Unit = ending = () => body

  private var ending = () => ()

  /** Reports all that the task has learned to the executor's state and to the metrics. */
  private[adaptivefilter] def end(): Unit = {
    ending()
    update(waits = true)
    metrics.took.foreach(_.add(System.nanoTime() - begun))
    last.foreach { learned =>
      metrics.history.add(TaskOrderLearner.event(learned))
      metrics.predicates(learned.passRates, learned.costs)
      if (latest != null) {
        saving.account(latest, order)
        metrics.evaluationsSaved.add(saving.evaluations)
        metrics.timeSaved.add(saving.nanos(learned.costs, System.nanoTime() - begun))
      }
    }
  }
}

private[adaptivefilter] object TaskOrderLearner {

  /** The number of samples from which on a task uses its own order. */
  private val EnoughOwn = 8

  def start(
      state: FilterState,
      precedence: Precedence,
      settings: PolicySettings,
      metrics: FilterMetrics): TaskOrderLearner = {
    val learner = new TaskOrderLearner(state, precedence, settings, metrics)
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener(new TaskCompletionListener {
      override def onTaskCompletion(context: TaskContext): Unit = learner.end()
    }))
    learner
  }

  private def event(learned: FilterState.Learned) =
    OrderEvent(
      Option(SparkEnv.get).fold("")(_.executorId),
      System.currentTimeMillis(),
      learned.order.toVector,
      learned.passRates.toVector,
      learned.costs.toVector)
}
