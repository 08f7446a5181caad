// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import org.apache.spark.sql.SparkSession

import io.sparksieve.conf.SieveConf

/** Sessions of test programs, which run outside of suites. */
object LocalSession {

  /** A local session of two threads with Sieve, for small tables: the size gates are open. */
  def builder(name: String): SparkSession.Builder =
    SparkSession
      .builder()
      .master("local[2]")
      .appName(s"sieve-$name")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.extensions", classOf[SieveExtensions].getName)
      .config(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key, "0")
      .config(SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key, "0")
      .config(SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key, "0")
}
