// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.time.LocalDate

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * Defines for which columns and constants a data source is exact: pushing a filter down to the
 * source yields the same rows as only evaluating the filter above the scan. The lists have only
 * cases that were shown to be exact; everything else counts as lossy. They hold for a comparison
 * and for its negation, so any AND, OR and NOT of exact comparisons is exact.
 */
private[common] sealed abstract class ExactSource {

  /** Whether comparisons of a column of this type with constants are exact. */
  def column(dataType: DataType): Boolean

  /** Whether a constant of this type and value reaches the source as it is. */
  def constant(dataType: DataType, value: Any): Boolean

  /** Whether tests for NULL are exact for columns of any type. */
  def nullTests: Boolean = true

  /** Whether the source skips unread data, so that a pushed filter saves more than output rows. */
  def skips: Boolean = true
}

private[common] object ExactSource {

  /** No filter is pushed to the source, or the source evaluates filters on the rows' own values. */
  case object Evaluates extends ExactSource {
    override def column(dataType: DataType): Boolean = true
    override def constant(dataType: DataType, value: Any): Boolean = true
    override def skips: Boolean = false
  }

  /** A source about which nothing is known, for example a database with its own collations. */
  case object Unknown extends Lossy

  /**
   * Pushed filters change the result in two cases. If an object has a name twice, its value is the
   * last one, but a pushed filter already drops the object at the first. A truncated line is a row
   * of NULLs, unless a pushed filter dropped the line before.
   */
  case object Json extends Lossy

  sealed abstract class Lossy extends ExactSource {
    override def column(dataType: DataType): Boolean = false
    override def constant(dataType: DataType, value: Any): Boolean = false
    override def nullTests: Boolean = false
  }

  /**
   *   - Floats are not exact: bounds from other writers leave out NaN, and dictionaries distinguish
   *     0.0 from -0.0.
   *   - TINYINT and SMALLINT are not exact: they may be read from an INT32 of the file, and then
   *     their values wrap around but the bounds do not.
   *   - Timestamp constants must be whole milliseconds: constants are truncated to milliseconds if
   *     the file's timestamps have no higher precision.
   */
  case object Parquet extends ExactSource {
    override def column(dataType: DataType): Boolean =
      everywhere(dataType) || isTimestamp(dataType) || isCollated(dataType)
    override def constant(dataType: DataType, value: Any): Boolean = value match {
      case micros: Long if isTimestamp(dataType) =>
        isModern(dataType, value) && micros % 1000 == 0
      case other => isModern(dataType, other)
    }
  }

  /**
   * Floats are not exact: a bound of 0.0 excludes -0.0. Timestamps are not exact: bounds are in
   * milliseconds. Strings are compared by their UTF-16 units; this equals the byte order if one of
   * the two strings is all ASCII. If a column's type differs from the file's type, the reader
   * itself ignores the filter.
   */
  case object Orc extends ExactSource {
    override def column(dataType: DataType): Boolean =
      everywhere(dataType) || isNarrow(dataType) || isCollated(dataType)
    override def constant(dataType: DataType, value: Any): Boolean = value match {
      case text: UTF8String => ExactLiterals.isAscii(text)
      case other => isModern(dataType, other)
    }
  }

  /** Parsed text: pushed filters are evaluated on the parsed values, row by row. */
  case object Csv extends ExactSource {
    override def column(dataType: DataType): Boolean =
      everywhere(dataType) || isNarrow(dataType) || isTimestamp(dataType) || Types.isFloat(dataType)
    override def constant(dataType: DataType, value: Any): Boolean =
      Parquet.constant(dataType, value)
    override def skips: Boolean = false
  }

  /** Cached batches, skipped by bounds that leave out NaN; constants stay Catalyst values. */
  case object Cached extends ExactSource {
    override def column(dataType: DataType): Boolean =
      everywhere(dataType) || isNarrow(dataType) || isTimestamp(dataType)
    override def constant(dataType: DataType, value: Any): Boolean = true
  }

  /** Types and constants for which every known source compares like Spark. */
  case object Everywhere extends ExactSource {
    override def column(dataType: DataType): Boolean = everywhere(dataType)
    override def constant(dataType: DataType, value: Any): Boolean = Orc.constant(dataType, value)
  }

  private def everywhere(dataType: DataType) = dataType match {
    case BooleanType | IntegerType | LongType | DateType | StringType => true
    case _: DecimalType => true
    case _ => false
  }

  // File readers accept no filter on strings with a collation.
  private def isCollated(dataType: DataType) = Types.isString(dataType) && dataType != StringType

  private def isNarrow(dataType: DataType) = dataType == ByteType || dataType == ShortType

  private def isTimestamp(dataType: DataType) =
    dataType == TimestampType || dataType == TimestampNTZType

  private val FirstDay = LocalDate.of(1901, 1, 1).toEpochDay

  // Files may be written in the hybrid calendar, where older values are other days.
  private def isModern(dataType: DataType, value: Any): Boolean =
    ExactLiterals.survives(value, dataType) && ((dataType, value) match {
      case (DateType, days: Int) => days >= FirstDay
      case (TimestampType | TimestampNTZType, micros: Long) => micros >= FirstDay * 86400000000L
      case _ => true
    })
}
