// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import org.apache.spark.sql.SparkSession

import io.sparksieve.conf.SieveConf

/** Sessions of test programs, which run outside of suites. */
object LocalSession {

  /** The settings of a local session of two threads with Sieve: the size gates are open. */
  def settings(name: String): Map[String, String] = Map(
    "spark.master" -> "local[2]",
    "spark.app.name" -> s"sieve-$name",
    "spark.ui.enabled" -> "false",
    "spark.sql.extensions" -> classOf[SieveExtensions].getName,
    SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key -> "0",
    SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key -> "0",
    SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key -> "0"
  )

  /** The builder of a session with these settings. */
  def builder(name: String): SparkSession.Builder =
    settings(name).foldLeft(SparkSession.builder()) { case (builder, (key, value)) =>
      builder.config(key, value)
    }
}
