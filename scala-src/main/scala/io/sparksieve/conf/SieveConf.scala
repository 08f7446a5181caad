package io.sparksieve.conf

import org.apache.spark.sql.internal.SQLConf

/**
 * Every config of Sieve: its key, type, default, allowed values and description.
 *
 * The entries register themselves with Spark when this object is initialised, which is the first
 * step of [[SieveExtensions]]. Spark checks a value when it is set (`SET spark.sieve...`,
 * `spark.conf.set`) only if the entry is registered; otherwise it accepts any string, and the first
 * query that reads the config fails.
 *
 * The config table of the documentation and `configs.json` of the Python package are generated from
 * [[SieveConf.all]] (see [[ConfigDocs]]).
 */
private[sparksieve] object SieveConf extends ConfigRegistry {

  val ENABLED = switch(
    "enabled",
    default = true,
    "The master switch. When false, Sieve changes no plan.",
    since = "0.1.0")

  val SETOP_ENABLED = switch(
    "setop.enabled",
    default = true,
    "Rewrites EXCEPT, INTERSECT, UNION, anti-joins and semi-joins between filtered copies of " +
      "one source into one filtered scan, and prevents the wrong rows that Spark's own rule can " +
      "give.",
    since = "0.1.0"
  )

  val SETOP_COUNTING_ENABLED = switch(
    "setop.counting.enabled",
    default = true,
    "Where a filter uses columns that are not in the output, answers EXCEPT and INTERSECT " +
      "with one scan and one aggregation that counts the rows of both sides.",
    since = "0.1.0"
  )

  val SETOP_COUNTING_MIN_SCAN_BYTES = bytes(
    "setop.counting.minScanBytes",
    "16MB",
    "The counting rewrite is not applied to sources smaller than this, because Spark's " +
      "broadcast join is as fast there.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_ENABLED = switch(
    "dynamicFilter.enabled",
    default = true,
    "Collects the distinct join keys of the filtered side at run time, and uses them to skip " +
      "files, row groups and rows of the other side.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MIN_SCAN_BYTES = bytes(
    "dynamicFilter.minScanBytes",
    "16MB",
    "A scan smaller than this gets no filter, because collecting the keys would cost more " +
      "than reading it.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MAX_BUILD_BYTES = bytes(
    "dynamicFilter.maxBuildBytes",
    "1GB",
    "In a shuffled join, no keys are collected from a side whose estimated size is larger " +
      "than this, because the other side waits for them.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MIN_SCAN_RATIO = number(
    "dynamicFilter.minScanRatio",
    2,
    "In a join with a shuffle, keys are collected only if the scan that they filter is at " +
      "least this many times as large as the scans of the side that they come from.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MAX_KEYS = count(
    "dynamicFilter.maxKeys",
    1000000,
    "Maximum number of distinct keys. Beyond it, collection stops and nothing is filtered.",
    since = "0.1.0")

  val DYNAMIC_FILTER_MAX_KEY_SET_BYTES = bytes(
    "dynamicFilter.maxKeySetBytes",
    "64MB",
    "Maximum memory for the keys. Beyond it, collection stops and nothing is filtered.",
    since = "0.1.0",
    atLeast = 1
  )

  val DYNAMIC_FILTER_TIMEOUT_MS = count(
    "dynamicFilter.timeoutMs",
    60000,
    "How many milliseconds the other side of a shuffled join waits for the keys. After that " +
      "it runs unfiltered.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_REBUILD_SCANS = switch(
    "dynamicFilter.rebuildScans",
    default = false,
    "Builds scans of Iceberg tables (Spark 4.1) anew with the keys, so that they skip files by any " +
      "column of type INT, BIGINT or DATE. Off by default until more is known of Iceberg's own " +
      "filters.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_FOOTER_THREADS = count(
    "dynamicFilter.footers.threads",
    8,
    "How many Parquet footers the driver reads in parallel to skip whole files.",
    since = "0.1.0")

  val DYNAMIC_FILTER_FOOTER_MIN_FILES = count(
    "dynamicFilter.footers.minFiles",
    32,
    "With fewer Parquet files than this, the driver reads no footers; tasks still skip row " +
      "groups.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_FOOTER_MAX_FILES = count(
    "dynamicFilter.footers.maxFiles",
    10000,
    "With more Parquet files than this, the driver reads no footers; tasks still skip row " +
      "groups.",
    since = "0.1.0"
  )

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

  val BULK_FILTER_ENABLED = switch(
    "bulkFilter.enabled",
    default = true,
    "Orders and merges the predicates in_file and in_table, and pushes them into scans. When " +
      "false, they are evaluated as written.",
    since = "0.1.0"
  )

  val BULK_FILTER_COST_MODEL = oneOf(
    "bulkFilter.costModel",
    Seq("measured", "points"),
    "How in_file and in_table are ordered under AND and OR. measured: by cost and selectivity " +
      "at run time, starting from the order of points. points: by points alone (a leaf 0.1, AND " +
      "the product, OR ten times the sum).",
    since = "0.1.0"
  )

  val BULK_FILTER_MAX_LEAF_BYTES = bytes(
    "bulkFilter.maxLeafBytes",
    "512MB",
    "Maximum memory for the values of one file while their set is built. Larger files are " +
      "joined with the rows instead. Never more than a share of the memory of the driver and of " +
      "a task.",
    since = "0.1.0",
    atLeast = 1
  )

  val BULK_FILTER_MAX_QUERY_BYTES = bytes(
    "bulkFilter.maxQueryBytes",
    "1GB",
    "Maximum memory for all sets of a query. Beyond it, the largest are joined with the rows " +
      "instead. Never more than a share of the driver's memory.",
    since = "0.1.0",
    atLeast = 1
  )

  val BULK_FILTER_MAX_CACHE_BYTES = bytes(
    "bulkFilter.maxCacheBytes",
    "512MB",
    "Maximum memory for sets of values that are cached for later queries of the session. A " +
      "set is no longer used once its files have changed.",
    since = "0.1.0"
  )

  val UI_ENABLED = atStart(
    "ui.enabled",
    default = true,
    "Adds a tab to Spark's UI and to the history server: what Sieve did to each query, and why not. " +
      "Takes effect when it is set before the application starts.",
    since = "0.1.0"
  )

  val EXPLAIN_ENABLED = atStart(
    "explain.enabled",
    default = false,
    "Adds a section to EXPLAIN and to the plans in Spark's UI: what Sieve did to the query, and why " +
      "not. Needs Spark 4.0 or later. Takes effect when it is set before the application starts.",
    since = "0.1.0"
  )

  val ADVISE_SAMPLE_ROWS = count(
    "advise.sampleRows",
    2000,
    "How many rows for each row group sparksieve.advise samples of a table. Predictions from " +
      "fewer than 2000 are less certain.",
    since = "0.1.0"
  )

  val ADVISE_MAX_SAMPLE_ROWS = count(
    "advise.maxSampleRows",
    4000000,
    "Maximum number of rows that sparksieve.advise samples of a table. The driver keeps them in " +
      "memory: 8 bytes for each value of a column that predicates compare.",
    since = "0.1.0"
  )

  val ADVISE_MAX_LAYOUTS = count(
    "advise.maxLayouts",
    32,
    "Maximum number of layouts that sparksieve.advise predicts for a table.",
    since = "0.1.0")

  /** The config names of the published prototype of adaptive filters, which are accepted too. */
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

  /** Every config, in the order of the documentation's table. */
  val all: Seq[Config] = documented

  /** Whether the set-operation feature may act under `conf`: the master switch is read first. */
  def setopEnabled(conf: SQLConf): Boolean = enabled(conf) && conf.getConf(SETOP_ENABLED)

  /** The smallest source that the counting rewrite applies to, in bytes. */
  def countingMinScanBytes(conf: SQLConf): Long =
    size(conf.getConf(SETOP_COUNTING_MIN_SCAN_BYTES))

  /** Whether the dynamic-filter feature may act under `conf`: the master switch is read first. */
  def dynamicFilterEnabled(conf: SQLConf): Boolean =
    enabled(conf) && conf.getConf(DYNAMIC_FILTER_ENABLED)

  /** The smallest scan that a dynamic filter prunes, in bytes. */
  def dynamicFilterMinScanBytes(conf: SQLConf): Long =
    size(conf.getConf(DYNAMIC_FILTER_MIN_SCAN_BYTES))

  /** The largest creation side of a shuffled join, in bytes. */
  def dynamicFilterMaxBuildBytes(conf: SQLConf): Long =
    size(conf.getConf(DYNAMIC_FILTER_MAX_BUILD_BYTES))

  /** The least size of the filtered scan, as a multiple of what the creation side scans. */
  def dynamicFilterMinScanRatio(conf: SQLConf): Double =
    conf.getConf(DYNAMIC_FILTER_MIN_SCAN_RATIO)

  def dynamicFilterMaxKeys(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_MAX_KEYS)

  /** The maximum memory of a set of keys, in bytes. */
  def dynamicFilterMaxKeySetBytes(conf: SQLConf): Long =
    size(conf.getConf(DYNAMIC_FILTER_MAX_KEY_SET_BYTES))

  def dynamicFilterTimeoutMs(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_TIMEOUT_MS)

  def dynamicFilterRebuildScans(conf: SQLConf): Boolean =
    conf.getConf(DYNAMIC_FILTER_REBUILD_SCANS)

  def dynamicFilterFooterThreads(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_FOOTER_THREADS)

  def dynamicFilterFooterMinFiles(conf: SQLConf): Int =
    conf.getConf(DYNAMIC_FILTER_FOOTER_MIN_FILES)

  def dynamicFilterFooterMaxFiles(conf: SQLConf): Int =
    conf.getConf(DYNAMIC_FILTER_FOOTER_MAX_FILES)

  /** Whether the adaptive-filter feature may act under `conf`: the master switch is read first. */
  def adaptiveFilterEnabled(conf: SQLConf): Boolean = enabled(conf) &&
    either(conf, ADAPTIVE_FILTER_ENABLED.key)(
      conf.getConf(ADAPTIVE_FILTER_ENABLED),
      conf.getConf(Prototype.ENABLED))

  /**
   * Whether the bulk-filter feature may change plans under `conf`. When it may not, the functions
   * still work, and their memory caps still apply.
   */
  def bulkFilterEnabled(conf: SQLConf): Boolean =
    enabled(conf) && conf.getConf(BULK_FILTER_ENABLED)

  /** Whether bulk-filter leaves keep the static order of their points, with nothing measured. */
  def bulkFilterByPoints(conf: SQLConf): Boolean = conf.getConf(BULK_FILTER_COST_MODEL) == "points"

  /** The maximum memory of one set while it is built, in bytes. */
  def bulkFilterMaxLeafBytes(conf: SQLConf): Long = size(conf.getConf(BULK_FILTER_MAX_LEAF_BYTES))

  /** The maximum memory of all sets of a query, in bytes. */
  def bulkFilterMaxQueryBytes(conf: SQLConf): Long = size(conf.getConf(BULK_FILTER_MAX_QUERY_BYTES))

  /** The maximum memory of sets that are cached between queries, in bytes. */
  def bulkFilterMaxCacheBytes(conf: SQLConf): Long = size(conf.getConf(BULK_FILTER_MAX_CACHE_BYTES))

  /** The least share of the tasks' time that an order must have saved for Sieve to learn again. */
  def adaptiveFilterMinGain(conf: SQLConf): Double = conf.getConf(ADAPTIVE_FILTER_MIN_GAIN)

  /** The rows for each row group that advice samples. */
  def adviseSampleRows(conf: SQLConf): Int = conf.getConf(ADVISE_SAMPLE_ROWS)

  /** The most rows of a table that advice samples. */
  def adviseMaxSampleRows(conf: SQLConf): Int = conf.getConf(ADVISE_MAX_SAMPLE_ROWS)

  /** The most layouts of a table that advice predicts. */
  def adviseMaxLayouts(conf: SQLConf): Int = conf.getConf(ADVISE_MAX_LAYOUTS)

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

  private def enabled(conf: SQLConf): Boolean = !bypassed.get && conf.getConf(ENABLED)

  private val bypassed = ThreadLocal.withInitial[Boolean](() => false)

  /**
   * Evaluates `body` with Sieve off on this thread only. The session's conf cannot be changed for
   * this, because queries that other threads plan meanwhile share it.
   */
  def bypassing[T](body: => T): T = {
    val outer = bypassed.get
    bypassed.set(true)
    try body
    finally bypassed.set(outer)
  }

  /**
   * Initialises this object, so that its entries are registered. The extension calls it before
   * anything else.
   */
  def register(): Unit = require(all.nonEmpty && Prototype.ENABLED.key.nonEmpty)
}
