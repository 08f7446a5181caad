// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.dynamicfilter

import io.sparksieve.conf.SieveConf

/** Confs that several groups of cases share. */
private[dynamicfilter] object Setup {

  val Rule = "InjectDynamicFilter"

  private val Threshold = "spark.sql.autoBroadcastJoinThreshold"
  private val Bloom = "spark.sql.optimizer.runtime.bloomFilter"

  /** Lets the rule act on scans of any size, so that the cases can run with few rows. */
  val OpenGate: Map[String, String] = Map(SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key -> "0")

  /** Every join shuffles both sides. */
  val SortMerge: Map[String, String] = Map(Threshold -> "-1")

  /** Every side of up to 1 GB is broadcast. */
  val Broadcast: Map[String, String] = Map(Threshold -> "1g")

  /** Spark's runtime Bloom filter, wherever it is possible. */
  val BloomFilter: Map[String, String] = Map(
    s"$Bloom.enabled" -> "true",
    s"$Bloom.applicationSideScanSizeThreshold" -> "0",
    s"$Bloom.creationSideThreshold" -> "1g")

  /** No file is skipped by its footer. */
  val NoFooters: Map[String, String] =
    Map(SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> Int.MaxValue.toString)

  /** Footers are read however few files there are. */
  val Footers: Map[String, String] = Map(SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1")
}
