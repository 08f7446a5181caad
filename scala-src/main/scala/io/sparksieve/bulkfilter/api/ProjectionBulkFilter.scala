// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.api

import scala.language.implicitConversions

import org.apache.spark.sql.Column
import org.apache.spark.sql.functions.{call_function, coalesce, lit, map, not}

/**
 * A leaf of a filter: keeps or drops rows whose key is in a file or in a column of a table.
 *
 * Two leaves are equal if the SQL texts of their keys and all other fields are equal.
 *
 * @param key
 *   the key of a row, an expression of its columns; `struct(…)` for a key of several columns
 * @param fileLocation
 *   the path of the file; for a table, `catalog.database.table.column`
 * @param operation
 *   `Include` keeps the rows whose key is present, as a semi-join does, so matches do not multiply
 *   rows; `Exclude` keeps the others, as an anti-join does
 * @param options
 *   the options of `in_file`: `format`, `column`, `invalid`, and those of Spark's reader
 * @param nulls
 *   `keep` or `drop` rows whose key is NULL. No file contains NULL, so by default `Include` drops
 *   these rows and `Exclude` keeps them. `Exclude` with `drop` is NOT IN
 * @param isTable
 *   whether `fileLocation` names a table's column
 * @param name
 *   the name of the leaf in reports
 */
final case class ProjectionBulkFilter private (
    key: Column,
    fileLocation: String,
    operation: String,
    options: Map[String, String],
    nulls: String,
    isTable: Boolean,
    name: Option[String])
    extends BulkFilterNode {

  require(operation == FilterKeywords.operation(operation), s"'$operation' is not an operation")
  require(nulls == FilterKeywords.nulls(nulls, operation), s"'$nulls' is not a treatment of nulls")
  require(fileLocation.trim.nonEmpty, s"${if (isTable) "table" else "file"} must not be empty")
  require(!name.exists(_.trim.isEmpty), "name must not be empty")

  override def points: Double = ProjectionBulkFilter.Points

  def withPoints: ProjectionBulkFilterWithPoints = ProjectionBulkFilterWithPoints(this, points)

  /** Whether the leaf keeps the rows whose key is absent. */
  private[bulkfilter] def excludes: Boolean = operation == FilterKeywords.Exclude

  private def keepsNulls: Boolean = nulls == FilterKeywords.Keep

  override def toColumn: Column = {
    val settings =
      if (options.isEmpty) Nil
      else Seq(map(options.toSeq.sorted.flatMap { case (k, v) => Seq(lit(k), lit(v)) }: _*))
    val function = if (isTable) "in_table" else "in_file"
    val in = call_function(function, Seq(key, lit(fileLocation)) ++ settings: _*)
    // Membership of a NULL key is NULL, so coalesce decides whether such rows are kept.
    if (keepsNulls == excludes) {
      if (excludes) not(coalesce(in, lit(false))) else in
    } else if (excludes) not(in)
    else coalesce(in, lit(true))
  }

  /** The leaf that keeps exactly the rows that this leaf drops. */
  def unary_! : ProjectionBulkFilter = copy(
    operation = if (excludes) FilterKeywords.Include else FilterKeywords.Exclude,
    nulls = if (keepsNulls) FilterKeywords.Drop else FilterKeywords.Keep)

  /** A copy of this leaf with a name for reports. */
  def named(text: String): ProjectionBulkFilter = copy(name = Some(text))

  override private[bulkfilter] def either: Either[ProjectionBulkFilter, BulkFilter] = Left(this)

  /** The key's SQL text. */
  private[bulkfilter] def keyText: Option[String] = KeyText.of(key)

  private lazy val identity =
    (keyText.getOrElse(key.toString), fileLocation, operation, options, nulls, isTable, name)

  override def equals(other: Any): Boolean = other match {
    case leaf: ProjectionBulkFilter => identity == leaf.identity
    case _ => false
  }

  override def hashCode: Int = identity.hashCode

  /** The name if it has one, or `color in colors.parquet`. */
  override def toString: String = {
    val unusual =
      if (nulls == FilterKeywords.nulls("", operation)) ""
      else if (keepsNulls) " (nulls kept)"
      else " (nulls dropped)"
    val short = if (isTable) fileLocation else fileLocation.split('/').last
    val is = name match {
      case Some(text) => if (excludes) s"not $text" else text
      case None =>
        s"${keyText.getOrElse(key.toString)} ${if (excludes) "not in" else "in"} $short"
    }
    is + unusual
  }
}

object ProjectionBulkFilter {

  private[bulkfilter] val Points = 0.1

  /**
   * Creates a leaf; see the class.
   *
   * @param operation
   *   `Include` or `Exclude`, case-insensitive
   * @param nulls
   *   `keep` or `drop`; empty for the default of the operation
   * @throws java.lang.IllegalArgumentException
   *   if the operation or the treatment of nulls is unknown, or a text is empty
   */
  def apply(
      key: Column,
      fileLocation: String,
      operation: String,
      options: Map[String, String] = Map.empty,
      nulls: String = "",
      isTable: Boolean = false,
      name: Option[String] = None): ProjectionBulkFilter = {
    val known = FilterKeywords.operation(operation)
    new ProjectionBulkFilter(
      key,
      fileLocation,
      known,
      options,
      FilterKeywords.nulls(nulls, known),
      isTable,
      name)
  }

  /**
   * Creates a leaf whose key is a SQL expression, in the simplest case the name of a column.
   *
   * @throws java.lang.IllegalArgumentException
   *   if the key is not a SQL expression, the operation is unknown, or a text is empty
   */
  def apply(key: String, fileLocation: String, operation: String): ProjectionBulkFilter =
    apply(KeyText.key(key), fileLocation, operation)

  /** Lets a list of instances be written without `Left`. */
  implicit def asInstance(leaf: ProjectionBulkFilter): Either[ProjectionBulkFilter, BulkFilter] =
    Left(leaf)
}

/**
 * A leaf with its cost.
 *
 * @param points
 *   0.1
 */
final case class ProjectionBulkFilterWithPoints(filter: ProjectionBulkFilter, points: Double) {
  def key: Column = filter.key
  def fileLocation: String = filter.fileLocation
  def operation: String = filter.operation
  override def toString: String = filter.toString
}
