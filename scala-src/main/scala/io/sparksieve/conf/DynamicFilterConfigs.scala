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
      "least this many times as large as the scans of the side that they come from. With adaptive " +
      "execution, broadcast joins in the stage of the scan count as well: of the scan, only the " +
      "share of rows that they keep.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_ROW_LEVEL = switch(
    "dynamicFilter.rowLevel.enabled",
    default = true,
    "Filters the changed table of MERGE, UPDATE and DELETE also below the row ids that Spark and " +
      "Delta add, and by the keys of a source without a filter.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MIN_TARGET_RATIO = number(
    "dynamicFilter.minTargetRatio",
    10,
    "In MERGE, UPDATE and DELETE, the keys of a source that has no filter, or that is read once " +
      "more for them, are collected only if the table that is changed is at least this many times " +
      "as large as the source.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MAX_KEYS = count(
    "dynamicFilter.maxKeys",
    1000000,
    "Maximum number of distinct keys of an exact set. Beyond it, see " +
      "spark.sieve.dynamicFilter.bloom.enabled.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_MAX_KEY_SET_BYTES = bytes(
    "dynamicFilter.maxKeySetBytes",
    "64MB",
    "Maximum memory for an exact set of keys. Beyond it, see " +
      "spark.sieve.dynamicFilter.bloom.enabled.",
    since = "0.1.0",
    atLeast = 1
  )

  val DYNAMIC_FILTER_BLOOM_ENABLED = switch(
    "dynamicFilter.bloom.enabled",
    default = true,
    "Keeps more keys than an exact set may hold as a Bloom filter with up to 64 ranges, if they " +
      "are integral numbers, dates, timestamps, or decimals of at most 18 digits. When false, " +
      "and for other types, collection stops and nothing is filtered.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_BLOOM_MAX_KEYS = count(
    "dynamicFilter.bloom.maxKeys",
    20000000,
    "Maximum number of distinct keys in a Bloom filter. Beyond it, only ranges are kept: whole " +
      "files and row groups are skipped, and rows outside of the ranges dropped.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_BLOOM_MAX_BYTES = bytes(
    "dynamicFilter.bloom.maxBytes",
    "20MB",
    "Memory for a Bloom filter, on the driver and in each task that collects more keys than an " +
      "exact set may hold. The filter that is sent to the tasks is smaller if there are few keys.",
    since = "0.1.0",
    atLeast = 1
  )

  val DYNAMIC_FILTER_TIMEOUT_MS = count(
    "dynamicFilter.timeoutMs",
    60000,
    "How many milliseconds after their collection has begun the other side waits for the keys; " +
      "below a broadcast at most a tenth of spark.sql.broadcastTimeout. After that it runs " +
      "unfiltered.",
    since = "0.1.0"
  )

  val DYNAMIC_FILTER_REBUILD_SCANS = switch(
    "dynamicFilter.rebuildScans",
    default = true,
    "Builds scans of Iceberg tables anew with the keys, so that they skip files by any column " +
      "of type INT, BIGINT or DATE.",
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

  def dynamicFilterRowLevel(conf: SQLConf): Boolean = conf.getConf(DYNAMIC_FILTER_ROW_LEVEL)

  def dynamicFilterMinTargetRatio(conf: SQLConf): Double =
    conf.getConf(DYNAMIC_FILTER_MIN_TARGET_RATIO)

  def dynamicFilterMaxKeys(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_MAX_KEYS)

  /** The maximum memory of a set of keys, in bytes. */
  def dynamicFilterMaxKeySetBytes(conf: SQLConf): Long =
    size(conf.getConf(DYNAMIC_FILTER_MAX_KEY_SET_BYTES))

  /** Whether keys beyond the caps of an exact set become a Bloom filter. */
  def dynamicFilterBloom(conf: SQLConf): Boolean = conf.getConf(DYNAMIC_FILTER_BLOOM_ENABLED)

  def dynamicFilterBloomMaxKeys(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_BLOOM_MAX_KEYS)

  /** The memory of a Bloom filter while keys are collected, in bytes. */
  def dynamicFilterBloomMaxBytes(conf: SQLConf): Long =
    size(conf.getConf(DYNAMIC_FILTER_BLOOM_MAX_BYTES))

  def dynamicFilterTimeoutMs(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_TIMEOUT_MS)

  def dynamicFilterRebuildScans(conf: SQLConf): Boolean =
    conf.getConf(DYNAMIC_FILTER_REBUILD_SCANS)

  def dynamicFilterFooterThreads(conf: SQLConf): Int = conf.getConf(DYNAMIC_FILTER_FOOTER_THREADS)

  def dynamicFilterFooterMinFiles(conf: SQLConf): Int =
    conf.getConf(DYNAMIC_FILTER_FOOTER_MIN_FILES)

  def dynamicFilterFooterMaxFiles(conf: SQLConf): Int =
    conf.getConf(DYNAMIC_FILTER_FOOTER_MAX_FILES)
}
