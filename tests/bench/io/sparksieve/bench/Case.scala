// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

/** A benchmark, which compares times with Sieve off and on. */
trait Case {

  /** Unique within the feature; slashes separate its parts. */
  def name: String

  /** A short description of the measurement. */
  def about: String

  /**
   * The target: at least this ratio off/on for a query, less than this growth in milliseconds for
   * planning. Reported, not asserted.
   */
  def target: Option[Double]

  /**
   * Runs the case.
   *
   * @param control
   *   whether to measure the first variant a second time, as a control
   */
  def measure(bench: Bench, control: Boolean): CaseResult
}

/**
 * One way to run a case.
 *
 * @param name
 *   the variant's name in tables
 * @param sql
 *   the query
 * @param conf
 *   confs in addition to those of the case
 * @param target
 *   the target: its time divided by the time with Sieve on is at least this ratio
 * @param prepare
 *   runs before the query, and is timed with it
 */
final case class Variant(
    name: String,
    sql: String,
    conf: Map[String, String],
    target: Option[Double] = None,
    prepare: Bench => Unit = _ => ())

object Variant {

  private val Enabled = io.sparksieve.conf.SieveConf.ENABLED.key

  val Off = "off"
  val On = "on"

  /** The control: off, measured again. */
  val OffAgain = "off again"

  /** `sql` planned with Sieve disabled. */
  def off(
      sql: String,
      name: String = Off,
      conf: Map[String, String] = Map.empty,
      target: Option[Double] = None): Variant =
    Variant(name, sql, conf + (Enabled -> "false"), target)

  /** `sql` planned with Sieve enabled. */
  def on(sql: String): Variant = Variant(On, sql, Map(Enabled -> "true"))
}
