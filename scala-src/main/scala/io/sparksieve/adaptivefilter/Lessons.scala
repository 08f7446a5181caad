package io.sparksieve.adaptivefilter

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.internal.Logging
import org.apache.spark.util.TaskCompletionListener

/**
 * One task's part in a filter's learning, and what it tells of it. Not for several threads.
 *
 * A task begins with the order that its executor knows. Under the policy `greedy` it goes by its
 * own samples as soon as these are enough: tasks that run at the same time read different parts of
 * a table, and where these differ, no order that they share suits any of them.
 */
final class Lessons private (
    state: FilterState,
    precedence: Precedence,
    settings: PolicySettings,
    told: Told)
    extends Logging {

  private val waiting = ArrayBuffer.empty[Sample]
  private val written = precedence.written
  private val begun = System.nanoTime()
  private var latest: Sample = _
  private val saving = new Saving(written)
  private var last: Option[FilterState.Learned] = None
  private val own =
    if (settings.policy == OrderPolicy.Rank) None else Some(OrderPolicy(settings, precedence))
  private var ownSamples = 0
  private var ownOrder: Array[Int] = _

  /** The order at this moment. */
  def order: Array[Int] = if (ownOrder == null) state.order else ownOrder

  /** Keeps a sample for the next lesson. */
  def add(sample: Sample): Unit = {
    waiting += sample
    own.foreach(_.learn(sample))
    ownSamples += 1
    if (sample.rows > 0) latest = sample
  }

  /** Decides on the order by what has been kept, of which the executor's state is taught too. */
  def teach(): Unit = teach(waits = false)

  private def teach(waits: Boolean): Unit = if (waiting.nonEmpty) {
    val before = order
    if (latest != null) saving.account(latest, before)
    val shared = state.learn(waiting.toVector, waits)
    if (shared.nonEmpty) waiting.clear()
    val learned = own.filter(_ => ownSamples >= Lessons.EnoughOwn).map { policy =>
      FilterState.decide(policy, precedence, before)
    }
    learned.foreach(l => ownOrder = l.order)
    learned.orElse(shared).foreach { learned =>
      last = Some(learned)
      if (learned.changed) {
        told.reorders.add(1)
        if (settings.verbose) logInfo(s"Order of predicates: ${learned.order.mkString(", ")}")
        told.history.add(Lessons.event(learned))
      }
    }
  }

  /** Counts rows that have been filtered, for an estimate of what the order has saved. */
  def filtered(count: Long): Unit = saving.filtered(count)

  /** Has `body` run at the end of the task, before what is kept then is taught. */
  def atEnd(body: => Unit): Unit = ending = () => body

  private var ending = () => ()

  /** Has all told that the task has learned. */
  private[adaptivefilter] def end(): Unit = {
    ending()
    teach(waits = true)
    told.took.foreach(_.add(System.nanoTime() - begun))
    last.foreach { learned =>
      told.history.add(Lessons.event(learned))
      told.predicates(learned.passRates, learned.costs)
      if (latest != null) {
        saving.account(latest, order)
        told.evaluationsSaved.add(saving.evaluations)
        told.timeSaved.add(saving.nanos(learned.costs, System.nanoTime() - begun))
      }
    }
  }
}

object Lessons {

  /** Samples after which a task goes by its own. */
  private val EnoughOwn = 8

  def start(
      state: FilterState,
      precedence: Precedence,
      settings: PolicySettings,
      told: Told): Lessons = {
    val lessons = new Lessons(state, precedence, settings, told)
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener(new TaskCompletionListener {
      override def onTaskCompletion(context: TaskContext): Unit = lessons.end()
    }))
    lessons
  }

  private def event(learned: FilterState.Learned) =
    OrderEvent(
      Option(SparkEnv.get).fold("")(_.executorId),
      System.currentTimeMillis(),
      learned.order.toVector,
      learned.passRates.toVector,
      learned.costs.toVector)
}
