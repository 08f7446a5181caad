// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import org.apache.spark.sql.internal.SQLConf

/** The configs of the set-operation feature. */
private[conf] trait SetOpConfigs extends MasterSwitch {

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

  /** Whether the set-operation feature may act under `conf`: the master switch is read first. */
  def setopEnabled(conf: SQLConf): Boolean = enabled(conf) && conf.getConf(SETOP_ENABLED)

  /** The smallest source that the counting rewrite applies to, in bytes. */
  def countingMinScanBytes(conf: SQLConf): Long =
    size(conf.getConf(SETOP_COUNTING_MIN_SCAN_BYTES))
}
