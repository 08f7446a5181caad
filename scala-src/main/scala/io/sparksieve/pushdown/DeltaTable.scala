// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Expression, ExpressionSet}
import org.apache.spark.sql.execution.datasources.{FileFormat, FileIndex}

/** Delta's additions to Parquet scans, found by name because Delta is not on Sieve's class path. */
private[sparksieve] object DeltaTable {

  def isFormat(format: FileFormat): Boolean =
    format.getClass.getName == "org.apache.spark.sql.delta.DeltaParquetFileFormat"

  /** Whether the predicate is Delta's own, which drops the rows that are marked as deleted. */
  def isInternal(predicate: Expression): Boolean =
    predicate.references.exists(_.name.startsWith("__delta_internal_"))

  /** Whether Delta used a predicate to skip files of a planned scan; false if that is unknown. */
  def skips(location: FileIndex, predicate: Expression): Boolean = Try {
    val scan = call(location, "preparedScan")
    call(scan, "filtersUsedForSkipping").asInstanceOf[ExpressionSet].contains(predicate)
  }.getOrElse(false)

  /**
   * Whether Delta passes filters to the Parquet reader; true if that is unknown. Delta passes none
   * where rows must keep their row numbers in the file.
   */
  def filters(format: FileFormat): Boolean =
    Try(call(format, "optimizationsEnabled").asInstanceOf[Boolean]).getOrElse(true)

  private def call(of: AnyRef, method: String) = of.getClass.getMethod(method).invoke(of)
}
