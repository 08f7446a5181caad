// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import org.apache.spark.sql.internal.SQLConf

/** The configs of the advice on layouts. */
private[conf] trait AdviseConfigs extends MasterSwitch {

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

  /** The rows for each row group that advice samples. */
  def adviseSampleRows(conf: SQLConf): Int = conf.getConf(ADVISE_SAMPLE_ROWS)

  /** The most rows of a table that advice samples. */
  def adviseMaxSampleRows(conf: SQLConf): Int = conf.getConf(ADVISE_MAX_SAMPLE_ROWS)

  /** The most layouts of a table that advice predicts. */
  def adviseMaxLayouts(conf: SQLConf): Int = conf.getConf(ADVISE_MAX_LAYOUTS)
}
