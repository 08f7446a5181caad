// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.run

import io.sparksieve.adaptivefilter.learn.{
  FilterMetrics,
  FilterState,
  FilterStates,
  OrderPolicy,
  TaskOrderLearner
}
import io.sparksieve.adaptivefilter.predicate.Precedence
import io.sparksieve.conf.PolicySettings

/**
 * Connects the tasks of an adaptive filter with the state that they share. A handle is serialized
 * with the task and looks up the state of the executor that it runs on.
 *
 * @param key
 *   equal for filters that share what they have learned
 * @param parts
 *   the handles of the predicates whose parts have an order of their own, by predicate position
 */
private[adaptivefilter] final class FilterHandle(
    key: String,
    val precedence: Precedence,
    val settings: PolicySettings,
    metrics: FilterMetrics,
    val parts: Map[Int, FilterHandle] = Map.empty)
    extends Serializable {

  @transient private lazy val state: FilterState =
    FilterStates(key)(new FilterState(precedence, OrderPolicy(settings, precedence)))

  /** Starts a task's run over single rows. Generated code calls this method too. */
  def startRows(): RowRun = new RowRun(learner(), precedence, settings)

  /** A new learner, from which a task reads its order and to which it adds its samples. */
  def learner(): TaskOrderLearner = TaskOrderLearner.start(state, precedence, settings, metrics)
}
