// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.time.LocalDate
import java.util.concurrent.TimeUnit

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.ByteArray

import io.sparksieve.keyset.KeyRange
import io.sparksieve.keyset.bytes.{BytesKeySet, BytesPlaces, BytesRange}
import io.sparksieve.keyset.longs.{LongKeyFilter, LongKeySet}

/** Covers keys by ranges of the values that a column can have. */
private[sparksieve] object KeyRanges {

  /** The most ranges; sources evaluate a predicate per range for every row group and page. */
  final val MaxRanges = 64

  // The least gap between two ranges, as a share of their mean length. Each range costs comparisons
  // for every row group and page, and hardly any of these has all its values in a gap that is small
  // compared to the ranges.
  private final val LeastGap = 0.25

  /** Up to this number, keys stay single values: sources look these up in dictionaries too. */
  final val MaxPoints = 10

  /**
   * Disjoint ranges, ascending, that cover every key that a column of type `column` can hold: at
   * most `atMost`, or one range per key if an exact set has at most [[MaxPoints]] keys. Empty if the
   * column can hold no key. Ranges are split only at gaps in which a row group or page might lie.
   */
  def apply(keys: LongKeyFilter, column: DataType, atMost: Int = MaxRanges): Seq[KeyRange] = {
    val ranges = keys match {
      case few: LongKeySet if few.size <= MaxPoints => few.sorted.toSeq.map(k => KeyRange(k, k))
      case _ => withoutSmallGaps(keys.ranges(atMost))
    }
    val values = domain(column)
    ranges.collect {
      case KeyRange(low, high) if high >= values.low && low <= values.high =>
        KeyRange(math.max(low, values.low), math.min(high, values.high))
    }
  }

  /**
   * Disjoint ranges, ascending, that cover the keys: at most `atMost`, or one range per key if
   * there are at most [[MaxPoints]] keys. There must be a key.
   */
  def ofBytes(keys: BytesKeySet, atMost: Int = MaxRanges): Seq[BytesRange] =
    if (keys.size <= MaxPoints)
      keys.keys
        .map(k => BytesRange(k, k))
        .toVector
        .sortWith((a, b) => ByteArray.compareBinary(a.low, b.low) < 0)
    else if (atMost == 1) Seq(BytesRange(keys.min, keys.max))
    else {
      val places = new BytesPlaces(keys)
      places.covering(withoutSmallGaps(places.ranges(atMost)))
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

  /**
   * Whether a value of type `column` equals a key of type `key` exactly if their encodings are
   * equal.
   */
  def comparable(column: DataType, key: DataType): Boolean =
    column == key || isWider(column, key)

  /** Whether both types are integral, and `to` is wider than `from`. */
  def isWider(from: DataType, to: DataType): Boolean =
    isIntegral(from) && isIntegral(to) && from.defaultSize < to.defaultSize

  /** Whether a column of type `column` can hold the encoded value `key`. */
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
   * The least encoded date or timestamp that has the same meaning in every calendar and time zone
   * in which Spark has written files; None for other types.
   */
  def modern(dataType: DataType): Option[Long] = dataType match {
    case DateType => Some(ModernDay)
    case TimestampType => Some(TimeUnit.DAYS.toMicros(ModernDay))
    case _ => None
  }

  // Values in the Julian calendar differ until 1582, those in local mean time until 1900.
  private val ModernDay = LocalDate.of(1901, 1, 1).toEpochDay

  private def domain(dataType: DataType) = dataType match {
    case ByteType => KeyRange(Byte.MinValue.toLong, Byte.MaxValue.toLong)
    case ShortType => KeyRange(Short.MinValue.toLong, Short.MaxValue.toLong)
    case IntegerType => KeyRange(Int.MinValue.toLong, Int.MaxValue.toLong)
    case _ => KeyRange(Long.MinValue, Long.MaxValue)
  }
}
