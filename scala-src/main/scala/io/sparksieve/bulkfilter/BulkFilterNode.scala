package io.sparksieve.bulkfilter

import org.apache.spark.sql.{Column, DataFrame}

/** What a leaf and a tree of filters have in common. */
abstract class BulkFilterNode private[bulkfilter] {

  /** The predicate, over the functions `in_file` and `in_table`, which need Sieve's extension. */
  def toColumn: Column

  /**
   * The rows of `df` that pass: one Filter, with no join, union or distinct of its own, so that
   * rows that occur twice pass twice.
   */
  def apply(df: DataFrame): DataFrame = df.filter(toColumn)

  /** What it costs: 0.1 for a leaf, the product below AND, ten times the sum below OR. */
  def points: Double

  /** The filter as JSON, which Python reads too; one line. */
  def toJson: String = BulkFilterJson.write(either)

  private[bulkfilter] def either: Either[ProjectionBulkFilter, BulkFilter]

  /** Both; chains such as `a && b && c` make one node. */
  def &&(other: BulkFilterNode): BulkFilter = BulkFilter.chain(Words.And, either, other.either)

  /** One of them or both; chains such as `a || b || c` make one node. */
  def ||(other: BulkFilterNode): BulkFilter = BulkFilter.chain(Words.Or, either, other.either)
}
