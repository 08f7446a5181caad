// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import org.apache.spark.sql.internal.SQLConf

/** The configs of the adaptive-filter feature, with those of the published prototype. */
private[conf] trait AdaptiveFilterConfigs extends MasterSwitch {

  val ADAPTIVE_FILTER_ENABLED = switch(
    "adaptiveFilter.enabled",
    default = true,
    "Measures the predicates of a filter while it runs, and evaluates them in the cheapest " +
      "order.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_POLICY = oneOf(
    "adaptiveFilter.policy",
    PolicySettings.names,
    "How the order is chosen. greedy: the cheapest order for the rows that were sampled last. " +
      "rank: by cost divided by the share of rows dropped, as in the published prototype.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_COLLECT_RATE = count(
    "adaptiveFilter.collectRate",
    1000,
    "Policy rank: one row in this many is sampled.",
    since = "0.1.0")

  val ADAPTIVE_FILTER_CALCULATE_RATE = count(
    "adaptiveFilter.calculateRate",
    1000000,
    "Policy rank: a task recalculates the order after this many rows.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_MOMENTUM = share(
    "adaptiveFilter.momentum",
    0.3,
    "Policy rank: the share of a predicate's previous rank that a recalculation keeps.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_MIN_GAIN = share(
    "adaptiveFilter.minGain",
    0.03,
    "Minimum share of task time that reordering must have saved in the last two runs (of at " +
      "least 1 s each); below it the filter runs unmodified. 0 disables this check.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_VERBOSE = switch(
    "adaptiveFilter.verbose",
    default = false,
    "Executors log each new order.",
    since = "0.1.0")

  /** The config names of the published prototype of adaptive filters, which are accepted too. */
  private object Prototype {
    private val Prefix = "spark.sql.adaptiveFilter."
    private def doc(name: String) =
      s"Another name of ${AdaptiveFilterConfigs.this.Prefix}adaptiveFilter.$name."
    val ENABLED = boolean(Prefix + "enabled", default = true, doc("enabled"), "0.1.0")
    val VERBOSE = boolean(Prefix + "verbose", default = false, doc("verbose"), "0.1.0")
    val COLLECT_RATE = fromOne(Prefix + "collectRate", 1000, doc("collectRate"), "0.1.0")
    val CALCULATE_RATE =
      fromOne(Prefix + "calculateRate", 1000000, doc("calculateRate"), "0.1.0")
    val MOMENTUM = belowOne(Prefix + "momentum", 0.3, doc("momentum"), "0.1.0")
  }

  /** Whether the adaptive-filter feature may act under `conf`: the master switch is read first. */
  def adaptiveFilterEnabled(conf: SQLConf): Boolean = enabled(conf) &&
    either(conf, ADAPTIVE_FILTER_ENABLED.key)(
      conf.getConf(ADAPTIVE_FILTER_ENABLED),
      conf.getConf(Prototype.ENABLED))

  /** The least share of the tasks' time that an order must have saved for Sieve to learn again. */
  def adaptiveFilterMinGain(conf: SQLConf): Double = conf.getConf(ADAPTIVE_FILTER_MIN_GAIN)

  /** The settings by which adaptive filters learn their order under `conf`. */
  def adaptiveFilterPolicy(conf: SQLConf): PolicySettings = PolicySettings(
    conf.getConf(ADAPTIVE_FILTER_POLICY),
    either(conf, ADAPTIVE_FILTER_COLLECT_RATE.key)(
      conf.getConf(ADAPTIVE_FILTER_COLLECT_RATE),
      conf.getConf(Prototype.COLLECT_RATE)),
    either(conf, ADAPTIVE_FILTER_CALCULATE_RATE.key)(
      conf.getConf(ADAPTIVE_FILTER_CALCULATE_RATE),
      conf.getConf(Prototype.CALCULATE_RATE)),
    either(conf, ADAPTIVE_FILTER_MOMENTUM.key)(
      conf.getConf(ADAPTIVE_FILTER_MOMENTUM),
      conf.getConf(Prototype.MOMENTUM)),
    either(conf, ADAPTIVE_FILTER_VERBOSE.key)(
      conf.getConf(ADAPTIVE_FILTER_VERBOSE),
      conf.getConf(Prototype.VERBOSE))
  )

  /** Sieve's own name of a config takes precedence if it is set. */
  private def either[T](conf: SQLConf, key: String)(own: => T, prototype: => T): T =
    if (conf.contains(key)) own else prototype

  /** Registers the prototype's names; [[SieveConf.register]] has why. */
  protected def registerPrototype(): Unit = require(Prototype.ENABLED.key.nonEmpty)
}
