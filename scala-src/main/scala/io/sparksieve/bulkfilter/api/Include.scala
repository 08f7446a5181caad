// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.api

/** Leaves that keep the rows whose key is in a file. */
object Include {

  /** @param key a SQL expression, in the simplest case the name of a column */
  def apply(
      key: String,
      fileLocation: String,
      options: Map[String, String] = Map.empty,
      nulls: String = ""): ProjectionBulkFilter =
    ProjectionBulkFilter(KeyText.key(key), fileLocation, FilterKeywords.Include, options, nulls)
}

/** Leaves that keep the rows whose key is not in a file. */
object Exclude {

  /** @param key a SQL expression, in the simplest case the name of a column */
  def apply(
      key: String,
      fileLocation: String,
      options: Map[String, String] = Map.empty,
      nulls: String = ""): ProjectionBulkFilter =
    ProjectionBulkFilter(KeyText.key(key), fileLocation, FilterKeywords.Exclude, options, nulls)
}
