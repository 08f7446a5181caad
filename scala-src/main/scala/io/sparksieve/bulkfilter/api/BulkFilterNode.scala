// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.api

import org.apache.spark.sql.{Column, DataFrame}

/** The common base of leaves and trees of filters. */
abstract class BulkFilterNode private[bulkfilter] {

  /** The predicate, over the functions `in_file` and `in_table`, which need Sieve's extension. */
  def toColumn: Column

  /**
   * Keeps the rows of `df` that pass. The plan gets one Filter and no join, union or distinct, so
   * duplicate rows are kept.
   */
  def apply(df: DataFrame): DataFrame = df.filter(toColumn)

  /** The estimated cost: 0.1 for a leaf, the product for AND, ten times the sum for OR. */
  def points: Double

  /** The filter as one line of JSON, which Python can read too. */
  def toJson: String = BulkFilterJson.write(either)

  private[bulkfilter] def either: Either[ProjectionBulkFilter, BulkFilter]

  /** Keeps rows that pass both filters; a chain such as `a && b && c` makes one node. */
  def &&(other: BulkFilterNode): BulkFilter =
    BulkFilter.chain(FilterKeywords.And, either, other.either)

  /** Keeps rows that pass at least one filter; a chain such as `a || b || c` makes one node. */
  def ||(other: BulkFilterNode): BulkFilter =
    BulkFilter.chain(FilterKeywords.Or, either, other.either)
}
