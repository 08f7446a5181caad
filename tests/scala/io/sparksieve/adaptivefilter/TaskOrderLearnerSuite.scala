// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.metric.SQLMetric

import io.sparksieve.adaptivefilter.learn.{
  FilterMetrics,
  FilterState,
  OrderHistory,
  OrderPolicy,
  Sample,
  SavingsEstimator,
  TaskOrderLearner
}
import io.sparksieve.adaptivefilter.predicate.Precedence
import io.sparksieve.conf.PolicySettings

/** The orders that the tasks of one executor learn, alone and together, without Spark. */
class TaskOrderLearnerSuite extends AnyFunSuite {

  private val both = Precedence(2, fallible = 0L, steady = 2)

  private def settings(policy: String) = PolicySettings(policy, 1000, 1000000, 0.3, verbose = false)

  private def newMetrics = {
    def metric = new SQLMetric("sum", 0L)
    def average = new SQLMetric("average", 0L)
    FilterMetrics(
      metric,
      metric,
      metric,
      None,
      Seq.fill(2)(average),
      Seq.fill(2)(average),
      new OrderHistory)
  }

  /** A hundred rows, all dropped by predicate `dropping`; both predicates cost the same. */
  private def sample(dropping: Int) = Sample(
    Array.fill(100)(1L << dropping),
    sampled = -1L,
    Array.fill(2)(100L),
    Array.tabulate(2)(k => if (k == dropping) 100L else 0L),
    Array.fill(2)(1000L))

  private def read(learner: TaskOrderLearner, dropping: Int): Unit = {
    learner.add(sample(dropping))
    learner.update()
  }

  private def task(
      state: FilterState,
      policy: String = PolicySettings.Greedy,
      metrics: FilterMetrics = newMetrics) =
    TaskOrderLearner.start(state, both, settings(policy), metrics)

  private def state(policy: String = PolicySettings.Greedy) =
    new FilterState(both, OrderPolicy(settings(policy), both))

  test("the time saved is that of the quickest sample") {
    val saving = new SavingsEstimator(Array(0, 1))
    // While the first sample was taken, the task had to wait.
    Seq(1000L, 1L).foreach { slower =>
      saving.filtered(500)
      val quick = sample(dropping = 1)
      saving.account(quick.copy(nanos = quick.nanos.map(_ * slower)), Array(1, 0))
    }
    assert(saving.evaluations == 1000)
    assert(saving.nanos(Array(5000.0, 5000.0), took = 1000000000L) == 1000 * 10)
    assert(saving.nanos(Array(2.0, 2.0), took = 1000000000L) == 1000 * 2)
  }

  test("tasks that read different data at the same time evaluate in different orders") {
    val executor = state()
    val (first, second) = (task(executor), task(executor))
    for (_ <- 1 to 20) {
      read(first, dropping = 0)
      read(second, dropping = 1)
    }
    assert(first.order.toSeq == Seq(0, 1))
    assert(second.order.toSeq == Seq(1, 0))
  }

  test("a task begins with what others know, and leaves it only for enough of its own") {
    val executor = state()
    val first = task(executor)
    (1 to 3).foreach(_ => read(first, dropping = 1))
    assert(first.order.toSeq == Seq(1, 0), "what the executor knows is what this task has reported")
    val second = task(executor)
    assert(second.order.toSeq == Seq(1, 0))
    (1 to 3).foreach(_ => read(second, dropping = 0))
    (1 to 8).foreach(_ => read(first, dropping = 1))
    assert(second.order.toSeq == Seq(1, 0), "three samples are too few to go alone")
    (1 to 8).foreach(_ => read(second, dropping = 0))
    assert(second.order.toSeq == Seq(0, 1))
  }

  test("no more time is saved than the written order would take beside the task's own") {
    val figures = newMetrics
    val one = task(state(), metrics = figures)
    (1 to 20).foreach(_ => read(one, dropping = 1))
    // At 10 ns per evaluation, as in the samples, more than a day would be saved.
    one.filtered(10000000000000L)
    one.end()
    assert(figures.timeSaved.value > 0 && figures.timeSaved.value < 60000000000L)
  }

  test("what was saved before the data drifted counts, though the last order is the written one") {
    val figures = newMetrics
    val one = task(state(), metrics = figures)
    for (dropping <- Seq(1, 0); _ <- 1 to 20) {
      one.filtered(1000)
      read(one, dropping)
    }
    one.end()
    assert(one.order.toSeq == Seq(0, 1), "the written order")
    val saved = figures.evaluationsSaved.value
    assert(saved > 10000 && saved <= 20000, "one of each row of the first half, from some point on")
    assert(figures.timeSaved.value > 0)
  }

  test("each new order of a task's own is counted and in the history") {
    val (executor, figures) = (state(), newMetrics)
    val one = task(executor, metrics = figures)
    (1 to 20).foreach(_ => read(one, dropping = 1))
    (1 to 20).foreach(_ => read(one, dropping = 0))
    assert(figures.reorders.value == 2)
    assert(figures.history.value.map(_.order) == Seq(Vector(1, 0), Vector(0, 1)))
  }

  test("policy rank: all tasks of an executor share an order, as in its report") {
    val executor = state(PolicySettings.Rank)
    val (first, second) = (task(executor, PolicySettings.Rank), task(executor, PolicySettings.Rank))
    for (_ <- 1 to 20) {
      read(first, dropping = 0)
      read(second, dropping = 1)
      assert(first.order.toSeq == second.order.toSeq)
    }
  }
}
