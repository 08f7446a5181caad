// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import org.apache.spark.sql.internal.SQLConf

/** The configs of the bulk-filter feature. */
private[conf] trait BulkFilterConfigs extends MasterSwitch {

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
    "Maximum memory for sets of values that are cached for later queries of the session. All " +
      "sessions together cache at most a quarter of the driver's heap. A set is no longer used " +
      "once its files have changed.",
    since = "0.1.0"
  )

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
}
