// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import java.util.{Locale, Map => JavaMap}

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.sql.types.StructType

import io.sparksieve.keyset.KeyRange

/**
 * The options of a table of the source.
 *
 * @param rows
 *   the number of rows of the table
 * @param partitions
 *   the maximum number of tasks that read the table
 * @param nested
 *   whether all columns but the key are fields of a struct
 */
private[rangesource] final case class RangeDbOptions(
    rows: Int,
    partitions: Int,
    pushdown: Pushdown,
    nested: Boolean) {

  def db: RangeDb = RangeDb(rows)

  def schema: StructType = RangeColumn.schema(rows, nested)

  /** The column at a path of names; None if the path names the struct, or no column. */
  def column(path: Seq[String]): Option[RangeColumn] = RangeColumn.at(path, nested)

  /** Whether there is a column or struct at a path of names. */
  def has(path: Seq[String]): Boolean =
    column(path).nonEmpty || (nested && path.size == 1 && path.head.equalsIgnoreCase(
      RangeColumn.Struct))

  def keyRange: KeyRange = KeyRange(1, rows.toLong)

  def allKeys: RangeSet = RangeSet(1, rows.toLong)

  override def toString: String =
    s"rows=$rows, partitions=$partitions, pushdown=${pushdown.name}, nested=$nested"
}

private[rangesource] object RangeDbOptions {

  val Rows = "rows"
  val Partitions = "partitions"
  val PushdownName = "pushdown"
  val Nested = "nested"

  private val Names = Seq(Rows, Partitions, PushdownName, Nested)

  /**
   * Parses the options of a table.
   *
   * @throws IllegalArgumentException
   *   if an option is missing, unknown or invalid; it names the option and what is allowed
   */
  def apply(options: JavaMap[String, String]): RangeDbOptions = {
    val named = options.asScala.map { case (k, v) => k.toLowerCase(Locale.ROOT) -> v }.toMap
    val rows = named.getOrElse(
      Rows,
      throw new IllegalArgumentException(
        s"The rangedb source needs the option '$Rows', a whole number from 0 to ${RangeDb.MaxRows}."))
    changed(RangeDbOptions(whole(Rows, rows, 0), 1, Pushdown.Push, nested = false), named - Rows)
  }

  /** `options` with the values in `named` instead; throws the same errors as [[apply]]. */
  def changed(options: RangeDbOptions, named: Map[String, String]): RangeDbOptions =
    named.foldLeft(options) {
      case (o, (Rows, value)) => o.copy(rows = whole(Rows, value, 0))
      case (o, (Partitions, value)) => o.copy(partitions = whole(Partitions, value, 1))
      case (o, (PushdownName, value)) =>
        o.copy(pushdown = Pushdown
          .named(value.trim)
          .getOrElse(
            refuse(PushdownName, value, s"one of ${Pushdown.All.map(_.name).mkString(", ")}")))
      case (o, (Nested, value)) =>
        o.copy(nested = Try(value.trim.toLowerCase(Locale.ROOT).toBoolean)
          .getOrElse(refuse(Nested, value, "true or false")))
      case (_, ("path", value)) =>
        throw new IllegalArgumentException(
          s"The rangedb source reads no path, but was given '$value': its rows are computed. " +
            s"Say how many with the option '$Rows'.")
      case (_, (name, value)) =>
        throw new IllegalArgumentException(
          s"The rangedb source has no option '$name' (given as '$value'). " +
            s"Its options are ${Names.mkString(", ")}.")
    }

  private def whole(name: String, value: String, least: Int): Int =
    Try(BigInt(value.trim)).toOption
      .filter(n => n >= least && n <= RangeDb.MaxRows)
      .map(_.toInt)
      .getOrElse {
        val why = if (name == Rows) ", because keys are INTs" else ""
        refuse(name, value, s"a whole number from $least to ${RangeDb.MaxRows}$why")
      }

  private def refuse(name: String, value: String, allowed: String) =
    throw new IllegalArgumentException(
      s"The option '$name' of the rangedb source is '$value', but must be $allowed.")
}
