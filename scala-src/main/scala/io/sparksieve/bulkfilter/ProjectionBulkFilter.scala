package io.sparksieve.bulkfilter

import scala.language.implicitConversions

import org.apache.spark.sql.Column
import org.apache.spark.sql.functions.{call_function, coalesce, lit, map, not}

/**
 * A leaf of a filter: keeps rows by whether a file, or a column of a table, has their key.
 *
 * Two leaves are equal if their keys have the same SQL text and all else is equal.
 *
 * @param key
 *   the key of a row, an expression of it; `struct(…)` for a key of several columns
 * @param fileLocation
 *   the path of the file; of a table, `catalog.database.table.column`
 * @param operation
 *   `Include` keeps the rows whose key is there, as an inner join would but once; `Exclude` the
 *   others, as an anti-join does
 * @param options
 *   of `in_file`: `format`, `column`, `invalid`, and those of Spark's reader
 * @param nulls
 *   `keep` or `drop`: what becomes of rows whose key is NULL. NULL is in no file, so that `Include`
 *   drops them and `Exclude` keeps them unless told otherwise. `Exclude` with `drop` is NOT IN
 * @param isTable
 *   whether `fileLocation` names a table's column
 * @param name
 *   what the leaf is called in texts
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

  require(operation == Words.operation(operation), s"'$operation' is not an operation")
  require(nulls == Words.nulls(nulls, operation), s"'$nulls' is not a treatment of nulls")
  require(fileLocation.trim.nonEmpty, s"${if (isTable) "table" else "file"} must not be empty")
  require(!name.exists(_.trim.isEmpty), "name must not be empty")

  override def points: Double = ProjectionBulkFilter.Points

  def withPoints: ProjectionBulkFilterWithPoints = ProjectionBulkFilterWithPoints(this, points)

  /** Whether rows are kept by not being there. */
  private[bulkfilter] def excludes: Boolean = operation == Words.Exclude

  private def keepsNulls: Boolean = nulls == Words.Keep

  override def toColumn: Column = {
    val settings =
      if (options.isEmpty) Nil
      else Seq(map(options.toSeq.sorted.flatMap { case (k, v) => Seq(lit(k), lit(v)) }: _*))
    val function = if (isTable) "in_table" else "in_file"
    val in = call_function(function, Seq(key, lit(fileLocation)) ++ settings: _*)
    // NULL is what membership of a NULL key is, so that coalesce says what becomes of it.
    if (keepsNulls == excludes) {
      if (excludes) not(coalesce(in, lit(false))) else in
    } else if (excludes) not(in)
    else coalesce(in, lit(true))
  }

  /** Keeps just the rows that this one drops. */
  def unary_! : ProjectionBulkFilter = copy(
    operation = if (excludes) Words.Include else Words.Exclude,
    nulls = if (keepsNulls) Words.Drop else Words.Keep)

  /** The same with a name for texts. */
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
      if (nulls == Words.nulls("", operation)) ""
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
   * A leaf; see the class.
   *
   * @param operation
   *   `Include` or `Exclude`, in any case
   * @param nulls
   *   `keep` or `drop`; empty: as the operation has it
   * @throws IllegalArgumentException
   *   if a word is not known or a text is empty
   */
  def apply(
      key: Column,
      fileLocation: String,
      operation: String,
      options: Map[String, String] = Map.empty,
      nulls: String = "",
      isTable: Boolean = false,
      name: Option[String] = None): ProjectionBulkFilter = {
    val known = Words.operation(operation)
    new ProjectionBulkFilter(
      key,
      fileLocation,
      known,
      options,
      Words.nulls(nulls, known),
      isTable,
      name)
  }

  /**
   * A leaf whose key is an expression of SQL, of which a column's name is the simplest.
   *
   * @throws IllegalArgumentException
   *   if it is none
   */
  def apply(key: String, fileLocation: String, operation: String): ProjectionBulkFilter =
    apply(KeyText.key(key), fileLocation, operation)

  /** So that a list of instances can be written without `Left`. */
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
