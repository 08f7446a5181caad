// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/** The names of the features, as reports show them. */
private[sparksieve] object Features {
  val SetOp = "setop"
  val DynamicFilter = "dynamicfilter"
  val AdaptiveFilter = "adaptivefilter"
  val BulkFilter = "bulkfilter"
  val RangeSource = "rangesource"

  /** The whole list, for documentation. */
  val all: Seq[String] = Seq(SetOp, DynamicFilter, AdaptiveFilter, BulkFilter, RangeSource)
}
