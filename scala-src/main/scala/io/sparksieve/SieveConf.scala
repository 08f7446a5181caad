package io.sparksieve

import scala.util.Try

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.internal.SQLConf

/**
 * Every knob of Sieve: its key, type, default, what is allowed and what it does.
 *
 * The entries register themselves with Spark when this object is initialised, which
 * [[SieveExtensions]] does as its first act: only a registered entry is checked when it is set
 * (`SET spark.sieve...`, `spark.conf.set`); an unregistered one would be accepted as any string
 * until the first query reads it.
 *
 * The knob table of the README and `knobs.json` of the Python package are generated from
 * [[SieveConf.all]] (see [[KnobDocs]]).
 */
object SieveConf {

  /** All keys of Sieve start with this. */
  val Prefix = "spark.sieve."

  /**
   * A documented knob.
   *
   * @param key
   *   the full conf key
   * @param kind
   *   one of boolean, int, long, double, bytes, string
   * @param default
   *   the default as the user would write it
   * @param allowed
   *   what is allowed, in words
   */
  final case class Knob(
      key: String,
      kind: String,
      default: String,
      allowed: String,
      doc: String,
      since: String)

  private val documented = Vector.newBuilder[Knob]

  private def switch(key: String, default: Boolean, doc: String, since: String) = {
    documented += Knob(Prefix + key, "boolean", default.toString, "true or false", doc, since)
    SQLConf.buildConf(Prefix + key).doc(doc).version(since).booleanConf.createWithDefault(default)
  }

  private def bytes(key: String, default: String, doc: String, since: String) = {
    val allowed = "a size of 0 or more, such as 64MB"
    documented += Knob(Prefix + key, "bytes", default, allowed, doc, since)
    // Text, because the error of Spark's own size entries does not name the knob.
    SQLConf
      .buildConf(Prefix + key)
      .doc(doc)
      .version(since)
      .stringConf
      .checkValue(v => Try(size(v)).isSuccess, s"${Prefix + key} must be $allowed.")
      .createWithDefault(default)
  }

  private def size(text: String): Long = {
    val bytes = JavaUtils.byteStringAsBytes(text)
    require(bytes >= 0)
    bytes
  }

  val ENABLED = switch(
    "enabled",
    default = true,
    "The master switch. When false, Sieve changes no plan at all; every room asks this first.",
    since = "0.1.0")

  val SETOP_ENABLED = switch(
    "setop.enabled",
    default = true,
    "Rewrites EXCEPT, INTERSECT, UNION, anti- and semi-joins between filtered copies of one " +
      "source into one filtered scan, and keeps Spark's own rule from giving wrong rows.",
    since = "0.1.0"
  )

  val SETOP_COUNTING_ENABLED = switch(
    "setop.counting.enabled",
    default = true,
    "Where a filter uses columns that are not in the output, answers EXCEPT and INTERSECT with " +
      "one scan and one aggregation that counts both sides.",
    since = "0.1.0"
  )

  val SETOP_COUNTING_MIN_SCAN_BYTES = bytes(
    "setop.counting.minScanBytes",
    "16MB",
    "The counting rewrite is left alone for sources smaller than this: Spark's broadcast join is " +
      "as good there.",
    since = "0.1.0"
  )

  /** Every knob, in the order of the README's table. */
  val all: Seq[Knob] = documented.result()

  /** Whether the set-operation room may act under `conf`: the master switch is read first. */
  def setopEnabled(conf: SQLConf): Boolean = enabled(conf) && conf.getConf(SETOP_ENABLED)

  /** The gate of the counting rewrite, in bytes. */
  def countingMinScanBytes(conf: SQLConf): Long =
    size(conf.getConf(SETOP_COUNTING_MIN_SCAN_BYTES))

  private def enabled(conf: SQLConf): Boolean = !bypassed.get && conf.getConf(ENABLED)

  private val bypassed = ThreadLocal.withInitial[Boolean](() => false)

  /**
   * Plans as if Sieve were off, on this thread alone: the session's conf is shared with queries
   * that other threads plan meanwhile.
   */
  def bypassing[T](body: => T): T = {
    val outer = bypassed.get
    bypassed.set(true)
    try body
    finally bypassed.set(outer)
  }

  /**
   * Refers to this object so that its entries are registered; called by the extension before
   * anything else.
   */
  def register(): Unit = require(all.nonEmpty)
}
