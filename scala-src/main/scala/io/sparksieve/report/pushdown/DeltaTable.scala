package io.sparksieve.report.pushdown

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Expression, ExpressionSet}
import org.apache.spark.sql.execution.datasources.{FileFormat, FileIndex}

/** What Delta does beyond a reader of Parquet. By name: it is not on Sieve's class path. */
private[pushdown] object DeltaTable {

  def isFormat(format: FileFormat): Boolean =
    format.getClass.getName == "org.apache.spark.sql.delta.DeltaParquetFileFormat"

  /** Whether it asks for rows that are not marked as deleted. */
  def isInternal(predicate: Expression): Boolean =
    predicate.references.exists(_.name.startsWith("__delta_internal_"))

  /** Whether files of a planned scan were left out by a predicate; false if it cannot be told. */
  def skips(location: FileIndex, predicate: Expression): Boolean = Try {
    val scan = call(location, "preparedScan")
    call(scan, "filtersUsedForSkipping").asInstanceOf[ExpressionSet].contains(predicate)
  }.getOrElse(false)

  /** Whether the reader gets filters; it does not where rows must keep their numbers in the file. */
  def filters(format: FileFormat): Boolean =
    Try(call(format, "optimizationsEnabled").asInstanceOf[Boolean]).getOrElse(true)

  private def call(of: AnyRef, method: String) = of.getClass.getMethod(method).invoke(of)
}
