package io.sparksieve.bench

/** Something whose time is compared with Sieve off and on. */
trait Case {

  /** Unique in the room; parts are separated by slashes. */
  def name: String

  /** What is measured, in a few words. */
  def about: String

  /**
   * The figure that is wished for: at least this ratio off/on for a query, at most this growth in
   * milliseconds for planning. Reported, not asserted.
   */
  def target: Option[Double]

  /**
   * Runs the case.
   *
   * @param control
   *   whether to measure the first variant against itself too
   */
  def measure(bench: Bench, control: Boolean): CaseResult
}

/**
 * One way to run a case.
 *
 * @param name
 *   its name in tables
 * @param sql
 *   the query
 * @param conf
 *   what is set beside the case's own settings
 * @param target
 *   the ratio of its time to that with Sieve on that is wished for
 * @param prepare
 *   what it does itself before its query, timed with it
 */
final case class Variant(
    name: String,
    sql: String,
    conf: Map[String, String],
    target: Option[Double] = None,
    prepare: Bench => Unit = _ => ())

object Variant {

  private val Enabled = io.sparksieve.SieveConf.ENABLED.key

  val Off = "off"
  val On = "on"

  /** The control: the same as off. */
  val OffAgain = "off again"

  /** `sql` as Spark plans it. */
  def off(
      sql: String,
      name: String = Off,
      conf: Map[String, String] = Map.empty,
      target: Option[Double] = None): Variant =
    Variant(name, sql, conf + (Enabled -> "false"), target)

  /** `sql` as Sieve plans it. */
  def on(sql: String): Variant = Variant(On, sql, Map(Enabled -> "true"))
}
