package io.sparksieve.dynamicfilter

import java.time.LocalDate
import java.util.concurrent.TimeUnit

import org.apache.spark.sql.types._

import io.sparksieve.keyset.{KeyRange, LongKeySet}

/** Keys as ranges of the values that a column can have. */
private[dynamicfilter] object KeyRanges {

  /** Ranges at most; each is a predicate that sources evaluate for every row group and page. */
  final val MaxRanges = 64

  // As a share of the length of a range. Each range costs its comparisons for every row group and
  // page, and hardly any of these have all their values in a gap that is small beside the ranges.
  private final val LeastGap = 0.25

  /** So many keys are given one by one: sources look single values up in dictionaries too. */
  final val MaxPoints = 10

  /**
   * Disjoint ranges, ascending, that cover every key a column of `column` can hold: at most
   * [[MaxRanges]], or each key by itself if there are at most [[MaxPoints]]. Empty if the column
   * can hold no key. Gaps between keys count only if a row group or page might lie in one.
   */
  def apply(keys: LongKeySet, column: DataType): Seq[KeyRange] = {
    val ranges =
      if (keys.size <= MaxPoints) keys.sorted.toSeq.map(k => KeyRange(k, k))
      else withoutSmallGaps(keys.ranges(MaxRanges))
    val values = domain(column)
    ranges.collect {
      case KeyRange(low, high) if high >= values.low && low <= values.high =>
        KeyRange(math.max(low, values.low), math.min(high, values.high))
    }
  }

  private def withoutSmallGaps(ranges: Seq[KeyRange]): Seq[KeyRange] = {
    val covered = ranges.map(r => r.high.toDouble - r.low + 1).sum
    val least = covered / ranges.size * LeastGap
    ranges.foldLeft(Vector.empty[KeyRange]) {
      case (done :+ last, next) if next.low.toDouble - last.high < least =>
        done :+ KeyRange(last.low, next.high)
      case (done, next) => done :+ next
    }
  }

  /** Whether values of `column` equal keys of `key` where both are the same long. */
  def comparable(column: DataType, key: DataType): Boolean =
    column == key || isWider(column, key)

  /** Whether both are integers and `to` holds every value of `from`. */
  def isWider(from: DataType, to: DataType): Boolean =
    isIntegral(from) && isIntegral(to) && from.defaultSize < to.defaultSize

  /** Whether a column of `column` can hold the encoded value `key`. */
  def fits(key: Long, column: DataType): Boolean = {
    val values = domain(column)
    key >= values.low && key <= values.high
  }

  /** TINYINT, SMALLINT, INT or BIGINT. */
  def isIntegral(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | LongType => true
    case _ => false
  }

  /**
   * The least encoded value of a date or timestamp that reads the same in every calendar and time
   * zone Spark has written files in; None for the other types.
   */
  def modern(dataType: DataType): Option[Long] = dataType match {
    case DateType => Some(ModernDay)
    case TimestampType => Some(TimeUnit.DAYS.toMicros(ModernDay))
    case _ => None
  }

  // Files in the Julian calendar differ until 1582, those in local mean time until 1900.
  private val ModernDay = LocalDate.of(1901, 1, 1).toEpochDay

  private def domain(dataType: DataType) = dataType match {
    case ByteType => KeyRange(Byte.MinValue.toLong, Byte.MaxValue.toLong)
    case ShortType => KeyRange(Short.MinValue.toLong, Short.MaxValue.toLong)
    case IntegerType => KeyRange(Int.MinValue.toLong, Int.MaxValue.toLong)
    case _ => KeyRange(Long.MinValue, Long.MaxValue)
  }
}
