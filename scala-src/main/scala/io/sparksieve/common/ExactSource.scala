package io.sparksieve.common

import java.time.LocalDate

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * For which columns and constants a source that is given a filter yields the rows that evaluating
 * the filter yields. The lists say what has been shown; everything else counts as lossy. They hold
 * for a comparison and for its negation, so any AND, OR and NOT of exact comparisons is exact.
 */
sealed abstract class ExactSource {

  /** Whether comparisons of a column of this type with constants are exact. */
  def column(dataType: DataType): Boolean

  /** Whether a constant of this type and value reaches the source as it is. */
  def constant(dataType: DataType, value: Any): Boolean

  /** Whether tests for NULL are exact, of columns of any type. */
  def nullTests: Boolean = true

  /** Whether the source skips what it has not read, so that a filter saves more than its rows. */
  def skips: Boolean = true
}

object ExactSource {

  /** Nothing is given to the source, or it evaluates what it is given on the rows' own values. */
  case object Evaluates extends ExactSource {
    override def column(dataType: DataType): Boolean = true
    override def constant(dataType: DataType, value: Any): Boolean = true
    override def skips: Boolean = false
  }

  /** A source of which nothing is known: a database, say, with collations of its own. */
  case object Unknown extends Lossy

  /**
   * A name that comes twice in an object has its last value, and a pushed filter drops the object
   * at the first; a line that breaks off is a row of NULLs, unless a filter dropped it before.
   */
  case object Json extends Lossy

  sealed abstract class Lossy extends ExactSource {
    override def column(dataType: DataType): Boolean = false
    override def constant(dataType: DataType, value: Any): Boolean = false
    override def nullTests: Boolean = false
  }

  /**
   *   - Bounds leave NaN out where other writers wrote them, and a dictionary tells 0.0 from -0.0:
   *     no floats.
   *   - A file's INT32 may be read as TINYINT or SMALLINT, whose values wrap around while the
   *     bounds do not.
   *   - A constant is cut to milliseconds where the file's timestamps have no more.
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
   * No floats: a bound of 0.0 excludes -0.0. No timestamps: bounds are in milliseconds. Strings are
   * compared by their UTF-16 units, which is the order of their bytes where one is all ASCII.
   * Of other types than the file's the reader itself makes no use.
   */
  case object Orc extends ExactSource {
    override def column(dataType: DataType): Boolean =
      everywhere(dataType) || isNarrow(dataType) || isCollated(dataType)
    override def constant(dataType: DataType, value: Any): Boolean = value match {
      case text: UTF8String => ExactLiterals.isAscii(text)
      case other => isModern(dataType, other)
    }
  }

  /** Text that is parsed: each filter is evaluated on the parsed values, row by row. */
  case object Csv extends ExactSource {
    override def column(dataType: DataType): Boolean =
      everywhere(dataType) || isNarrow(dataType) || isTimestamp(dataType) || isFloat(dataType)
    override def constant(dataType: DataType, value: Any): Boolean =
      Parquet.constant(dataType, value)
    override def skips: Boolean = false
  }

  /** Cached batches, skipped by bounds that leave NaN out; constants stay Catalyst's own. */
  case object Cached extends ExactSource {
    override def column(dataType: DataType): Boolean =
      everywhere(dataType) || isNarrow(dataType) || isTimestamp(dataType)
    override def constant(dataType: DataType, value: Any): Boolean = true
  }

  /** Types that each known source compares as Spark does. */
  case object Everywhere extends ExactSource {
    override def column(dataType: DataType): Boolean = everywhere(dataType)
    override def constant(dataType: DataType, value: Any): Boolean = Orc.constant(dataType, value)
  }

  private def everywhere(dataType: DataType) = dataType match {
    case BooleanType | IntegerType | LongType | DateType | StringType => true
    case _: DecimalType => true
    case _ => false
  }

  // Readers of files take no filter on strings of a collation.
  private def isCollated(dataType: DataType) = Types.isString(dataType) && dataType != StringType

  private def isNarrow(dataType: DataType) = dataType == ByteType || dataType == ShortType

  private def isFloat(dataType: DataType) = dataType == FloatType || dataType == DoubleType

  private def isTimestamp(dataType: DataType) =
    dataType == TimestampType || dataType == TimestampNTZType

  private val FirstDay = LocalDate.of(1901, 1, 1).toEpochDay

  // Older ones are other days in the hybrid calendar that files may be written in.
  private def isModern(dataType: DataType, value: Any): Boolean =
    ExactLiterals.survives(value, dataType) && ((dataType, value) match {
      case (DateType, days: Int) => days >= FirstDay
      case (TimestampType | TimestampNTZType, micros: Long) => micros >= FirstDay * 86400000000L
      case _ => true
    })
}
