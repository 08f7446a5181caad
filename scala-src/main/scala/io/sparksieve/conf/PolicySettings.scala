// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

/**
 * The configs of adaptive filters as they were when the query was planned.
 *
 * @param collectRate
 *   policy `rank`: one row in this many is sampled
 * @param calculateRate
 *   policy `rank`: rows of a task between two calculations of ranks
 * @param momentum
 *   policy `rank`: share of a predicate's previous rank that is kept in a calculation, in [0, 1)
 * @param verbose
 *   whether each new order is logged
 */
private[sparksieve] final case class PolicySettings(
    policy: String,
    collectRate: Int,
    calculateRate: Int,
    momentum: Double,
    verbose: Boolean)

private[sparksieve] object PolicySettings {

  /** Names of policies, as in the config. */
  val Rank = "rank"
  val Greedy = "greedy"
  val names: Seq[String] = Seq(Greedy, Rank)
}
