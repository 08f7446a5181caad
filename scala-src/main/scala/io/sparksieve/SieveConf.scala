package io.sparksieve

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.{OrderPolicy, PolicySettings}

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
object SieveConf extends KnobRegistry {

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

  val DYNAMIC_FILTER_ENABLED = switch(
    "dynamicFilter.enabled",
    default = true,
    "Collects the join keys of a filtered side while the query runs, and reads and keeps only what " +
      "can match them on the other side.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MIN_SCAN_BYTES = bytes(
    "dynamicFilter.minScanBytes",
    "16MB",
    "A side whose scan is smaller than this is left alone: learning keys costs more than reading it.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MAX_BUILD_BYTES = bytes(
    "dynamicFilter.maxBuildBytes",
    "1GB",
    "Keys are not learned from a side of a shuffled join whose estimated size is larger than this: " +
      "the other side would have to wait for it.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MIN_SCAN_RATIO = number(
    "dynamicFilter.minScanRatio",
    2,
    "Keys are learned from a side that is shuffled, or has a shuffle in it, only if the scan that " +
      "they filter is at least so many times as large as what that side scans.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MAX_KEYS = count(
    "dynamicFilter.maxKeys",
    1000000,
    "With more distinct keys than this, collecting them is given up and nothing is filtered.",
    since = "0.1.0")

  val DYNAMIC_FILTER_MAX_KEY_SET_BYTES = bytes(
    "dynamicFilter.maxKeySetBytes",
    "64MB",
    "With keys that take more memory than this, collecting them is given up and nothing is " +
      "filtered.",
    since = "0.1.0",
    atLeast = 1
  )

  val DYNAMIC_FILTER_TIMEOUT_MS = count(
    "dynamicFilter.timeoutMs",
    60000,
    "Milliseconds that the other side of a shuffled join waits for its keys; then it runs " +
      "without a filter.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_FOOTER_THREADS = count(
    "dynamicFilter.footers.threads",
    8,
    "Parquet footers that the driver reads at the same time to skip whole files.",
    since = "0.1.0")

  val DYNAMIC_FILTER_FOOTER_MIN_FILES = count(
    "dynamicFilter.footers.minFiles",
    32,
    "For fewer Parquet files than this the driver reads no footers; tasks skip row groups anyway.",
    since = "0.1.0")

  val DYNAMIC_FILTER_FOOTER_MAX_FILES = count(
    "dynamicFilter.footers.maxFiles",
    10000,
    "For more Parquet files than this the driver reads no footers; tasks skip row groups anyway.",
    since = "0.1.0")

  val ADAPTIVE_FILTER_ENABLED = switch(
    "adaptiveFilter.enabled",
    default = true,
    "Asks the predicates of a filter in the order that is cheapest, learned while the filter runs.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_POLICY = oneOf(
    "adaptiveFilter.policy",
    OrderPolicy.names,
    "How the order is learned: greedy, the cheapest for the rows that were sampled last; or rank, " +
      "by cost over the share of rows dropped, as the published prototype does.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_COLLECT_RATE = count(
    "adaptiveFilter.collectRate",
    1000,
    "Policy rank: one row in so many is sampled.",
    since = "0.1.0")

  val ADAPTIVE_FILTER_CALCULATE_RATE = count(
    "adaptiveFilter.calculateRate",
    1000000,
    "Policy rank: the order is calculated after so many rows of a task.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_MOMENTUM = share(
    "adaptiveFilter.momentum",
    0.3,
    "Policy rank: the share of a predicate's rank that is kept from the calculation before.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_MIN_GAIN = share(
    "adaptiveFilter.minGain",
    0.03,
    "A filter runs as Spark's own while its last two runs, if they took a second or more of the " +
      "tasks' time, have saved a smaller share of it by the order; 0 for always learning.",
    since = "0.1.0"
  )

  val ADAPTIVE_FILTER_VERBOSE = switch(
    "adaptiveFilter.verbose",
    default = false,
    "Executors log each new order.",
    since = "0.1.0")

  val BULK_FILTER_ENABLED = switch(
    "bulkFilter.enabled",
    default = true,
    "Orders, merges and pushes into scans the predicates in_file and in_table; when false they work " +
      "just as they are written.",
    since = "0.1.0"
  )

  val BULK_FILTER_COST_MODEL = oneOf(
    "bulkFilter.costModel",
    Seq("measured", "points"),
    "The order of in_file and in_table under AND and OR: measured while the filter runs, from the " +
      "order of points on; or points alone (a leaf 0.1, AND the product, OR ten times the sum).",
    since = "0.1.0"
  )

  val BULK_FILTER_MAX_LEAF_BYTES = bytes(
    "bulkFilter.maxLeafBytes",
    "512MB",
    "Values of a file that take more memory than this while their set is built are joined with the " +
      "rows instead; never more than a share of the memory of the driver and of a task.",
    since = "0.1.0",
    atLeast = 1
  )

  val BULK_FILTER_MAX_QUERY_BYTES = bytes(
    "bulkFilter.maxQueryBytes",
    "1GB",
    "If the sets of a query take more memory than this together, the largest are joined with the " +
      "rows instead; never more than a share of the driver's memory.",
    since = "0.1.0",
    atLeast = 1
  )

  val BULK_FILTER_MAX_CACHE_BYTES = bytes(
    "bulkFilter.maxCacheBytes",
    "512MB",
    "Sets of values that are kept for the session's later queries while their files do not change.",
    since = "0.1.0"
  )

  /** The names of the published prototype of adaptive filters, which are taken too. */
  private object Prototype {
    private val Prefix = "spark.sql.adaptiveFilter."
    private def doc(name: String) = s"Another name of ${SieveConf.Prefix}adaptiveFilter.$name."
    val ENABLED = boolean(Prefix + "enabled", default = true, doc("enabled"), "0.1.0")
    val VERBOSE = boolean(Prefix + "verbose", default = false, doc("verbose"), "0.1.0")
    val COLLECT_RATE = fromOne(Prefix + "collectRate", 1000, doc("collectRate"), "0.1.0")
    val CALCULATE_RATE =
      fromOne(Prefix + "calculateRate", 1000000, doc("calculateRate"), "0.1.0")
    val MOMENTUM = belowOne(Prefix + "momentum", 0.3, doc("momentum"), "0.1.0")
  }

  /** Every knob, in the order of the README's table. */
  val all: Seq[Knob] = documented

  /** Whether the set-operation room may act under `conf`: the master switch is read first. */
  def setopEnabled(conf: SQLConf): Boolean = enabled(conf) && conf.getConf(SETOP_ENABLED)

  /** The gate of the counting rewrite, in bytes. */
  def countingMinScanBytes(conf: SQLConf): Long =
    size(conf.getConf(SETOP_COUNTING_MIN_SCAN_BYTES))

  /** Whether the dynamic-filter room may act under `conf`: the master switch is read first. */
  def dynamicFilterEnabled(conf: SQLConf): Boolean =
    enabled(conf) && conf.getConf(DYNAMIC_FILTER_ENABLED)

  /** The gate of dynamic filters, in bytes of the scan that they would prune. */
  def dynamicFilterMinScanBytes(conf: SQLConf): Long =
    size(conf.getConf(DYNAMIC_FILTER_MIN_SCAN_BYTES))

  /** The largest side, in bytes, from which a shuffled join's keys are collected. */
  def dynamicFilterMaxBuildBytes(conf: SQLConf): Long =
    size(conf.getConf(DYNAMIC_FILTER_MAX_BUILD_BYTES))

  /** The least size of a scan as a multiple of what the side with the keys scans. */
  def dynamicFilterMinScanRatio(conf: SQLConf): Double =
    conf.getConf(DYNAMIC_FILTER_MIN_SCAN_RATIO)

  def dynamicFilterMaxKeys(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_MAX_KEYS)

  /** The most memory that a set of keys may take, in bytes. */
  def dynamicFilterMaxKeySetBytes(conf: SQLConf): Long =
    size(conf.getConf(DYNAMIC_FILTER_MAX_KEY_SET_BYTES))

  def dynamicFilterTimeoutMs(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_TIMEOUT_MS)

  def dynamicFilterFooterThreads(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_FOOTER_THREADS)

  def dynamicFilterFooterMinFiles(conf: SQLConf): Int =
    conf.getConf(DYNAMIC_FILTER_FOOTER_MIN_FILES)

  def dynamicFilterFooterMaxFiles(conf: SQLConf): Int =
    conf.getConf(DYNAMIC_FILTER_FOOTER_MAX_FILES)

  /** Whether the adaptive-filter room may act under `conf`: the master switch is read first. */
  def adaptiveFilterEnabled(conf: SQLConf): Boolean = enabled(conf) &&
    either(conf, ADAPTIVE_FILTER_ENABLED.key)(
      conf.getConf(ADAPTIVE_FILTER_ENABLED),
      conf.getConf(Prototype.ENABLED))

  /**
   * Whether the bulk-filter room may change plans under `conf`. The functions work without, and so
   * does what keeps them within their memory.
   */
  def bulkFilterEnabled(conf: SQLConf): Boolean =
    enabled(conf) && conf.getConf(BULK_FILTER_ENABLED)

  /** Whether leaves keep the order of their points. */
  def bulkFilterByPoints(conf: SQLConf): Boolean = conf.getConf(BULK_FILTER_COST_MODEL) == "points"

  /** The most memory of one set while it is built, in bytes. */
  def bulkFilterMaxLeafBytes(conf: SQLConf): Long = size(conf.getConf(BULK_FILTER_MAX_LEAF_BYTES))

  /** The most memory of the sets of a query, in bytes. */
  def bulkFilterMaxQueryBytes(conf: SQLConf): Long = size(conf.getConf(BULK_FILTER_MAX_QUERY_BYTES))

  /** The most memory of sets that are kept between queries, in bytes. */
  def bulkFilterMaxCacheBytes(conf: SQLConf): Long = size(conf.getConf(BULK_FILTER_MAX_CACHE_BYTES))

  /** The least share of time that an order must have saved to be learned again. */
  def adaptiveFilterMinGain(conf: SQLConf): Double = conf.getConf(ADAPTIVE_FILTER_MIN_GAIN)

  /** How filters learn under `conf`. */
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

  /** Sieve's own name of a knob counts, if it is set. */
  private def either[T](conf: SQLConf, key: String)(own: => T, prototype: => T): T =
    if (conf.contains(key)) own else prototype

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
  def register(): Unit = require(all.nonEmpty && Prototype.ENABLED.key.nonEmpty)
}
