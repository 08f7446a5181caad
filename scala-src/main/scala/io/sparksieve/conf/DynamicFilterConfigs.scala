// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import org.apache.spark.sql.internal.SQLConf

/** The configs of the dynamic-filter feature. */
private[conf] trait DynamicFilterConfigs extends MasterSwitch {

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

  val DYNAMIC_FILTER_MIN_TARGET_RATIO = number(
    "dynamicFilter.minTargetRatio",
    10,
    "In MERGE, UPDATE and DELETE, the keys of a source without a filter are collected only if the " +
      "table that is changed is at least this many times as large as the source.",
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

  def dynamicFilterMinTargetRatio(conf: SQLConf): Double =
    conf.getConf(DYNAMIC_FILTER_MIN_TARGET_RATIO)

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
}
