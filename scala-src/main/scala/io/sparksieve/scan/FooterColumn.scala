// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.util.{Arrays, List => JavaList}

import scala.util.control.NonFatal

import org.apache.parquet.column.statistics.Statistics
import org.apache.parquet.hadoop.metadata.{BlockMetaData, ColumnChunkMetaData, ParquetMetadata}
import org.apache.parquet.schema.{LogicalTypeAnnotation, PrimitiveType, Type}
import org.apache.parquet.schema.LogicalTypeAnnotation._
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName._

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.sparksieve.keyset.{KeyRange, LongKeyFilter, LongKeySet}

/**
 * Reads the minimum and maximum of a top-level column in each row group of a Parquet file, as
 * encoded longs. Supports only columns that the file stores as INT32 or INT64 with the same logical
 * type that Spark reads.
 *
 * @param field
 *   the column in the table's schema
 * @param caseSensitive
 *   whether Spark resolves column names case-sensitively
 */
private[sparksieve] final class FooterColumn(field: StructField, caseSensitive: Boolean) {

  import FooterColumn._

  /** For each row group of the file, a range that covers all its values; [[All]] if unknown. */
  def ranges(footer: ParquetMetadata): Seq[KeyRange] = {
    val blocks = toSeq(footer.getBlocks)
    val read = column(footer).filter(_ => isTrusted(footer)).flatMap { c =>
      unit(c).map(u => blocks.map(ofBlock(_, c.getName, u)))
    }
    read.getOrElse(blocks.map(_ => All))
  }

  /** The file's primitive column with the name of `field`, if exactly one column has that name. */
  private def column(footer: ParquetMetadata): Option[PrimitiveType] = {
    val named = toSeq(footer.getFileMetaData.getSchema.getFields).filter { f =>
      if (caseSensitive) f.getName == field.name else f.getName.equalsIgnoreCase(field.name)
    }
    named match {
      case Seq(f) if f.isPrimitive && !f.isRepetition(Type.Repetition.REPEATED) =>
        Some(f.asPrimitiveType)
      case _ => None
    }
  }

  private def isTrusted(footer: ParquetMetadata) = {
    val legacy = footer.getFileMetaData.getKeyValueMetaData
    KeyRanges.modern(field.dataType).isEmpty || !LegacyKeys.exists(k => legacy.containsKey(k))
  }

  /** The factor from a value in the file to its encoded long; None if the types do not match. */
  private def unit(column: PrimitiveType): Option[Long] = {
    val physical = column.getPrimitiveTypeName
    (field.dataType, column.getLogicalTypeAnnotation) match {
      case (IntegerType, plain) if physical == INT32 && isSigned(plain, 32) => Some(1L)
      case (LongType, plain) if physical == INT64 && isSigned(plain, 64) => Some(1L)
      case (ShortType, plain) if physical == INT32 && isSigned(plain, 16) => Some(1L)
      case (ByteType, plain) if physical == INT32 && isSigned(plain, 8) => Some(1L)
      case (DateType, _: DateLogicalTypeAnnotation) => Some(1L)
      case (TimestampType, t: TimestampLogicalTypeAnnotation) if t.isAdjustedToUTC => micros(t)
      case (TimestampNTZType, t: TimestampLogicalTypeAnnotation) if !t.isAdjustedToUTC =>
        micros(t)
      case (d: DecimalType, f: DecimalLogicalTypeAnnotation)
          if (physical == INT32 || physical == INT64) && f.getScale == d.scale &&
            f.getPrecision <= d.precision =>
        Some(1L)
      case _ => None
    }
  }

  // Before 1901, the day or time that Spark reads may differ from the value in the footer.
  private def ofBlock(block: BlockMetaData, name: String, unit: Long): KeyRange =
    try {
      val chunk = toSeq(block.getColumns).find { c =>
        val path = c.getPath.toArray
        path.length == 1 && path.head == name
      }
      val found = chunk.fold(All)(ofChunk(_, unit))
      if (KeyRanges.modern(field.dataType).forall(found.low >= _)) found else All
    } catch {
      // The statistics are encrypted, or overflow a long in Spark's unit.
      case NonFatal(_) => All
    }

  private def ofChunk(chunk: ColumnChunkMetaData, unit: Long): KeyRange = {
    val statistics: Statistics[_] = chunk.getStatistics
    if (statistics == null || statistics.isEmpty) All
    else if (statistics.hasNonNullValue)
      (statistics.genericGetMin, statistics.genericGetMax) match {
        case (low: Number, high: Number) =>
          KeyRange(
            Math.multiplyExact(low.longValue, unit),
            Math.multiplyExact(high.longValue, unit))
        case _ => All
      }
    else if (statistics.isNumNullsSet && statistics.getNumNulls == chunk.getValueCount) NoValue
    else All
  }
}

private[sparksieve] object FooterColumn {

  /** The range of all values: nothing is known. */
  val All: KeyRange = KeyRange(Long.MinValue, Long.MaxValue)

  /** The range of a row group in which every value of the column is NULL; it contains no key. */
  val NoValue: KeyRange = KeyRange(Long.MaxValue, Long.MinValue)

  /** Whether a column's statistics can be looked up in footers, by its name and type. */
  def supports(field: StructField, conf: SQLConf): Boolean = {
    val byId = conf.parquetFieldIdReadEnabled && field.metadata.contains(FieldId)
    val byName = !byId && !field.metadata.contains(PhysicalName)
    byName && (field.dataType match {
      case DateType | TimestampType | TimestampNTZType => true
      case d: DecimalType => d.precision <= Decimal.MAX_LONG_DIGITS
      case other => KeyRanges.isIntegral(other)
    })
  }

  // With column mapping, Delta stores the column under another name in the file.
  private final val PhysicalName = "delta.columnMapping.physicalName"

  private final val FieldId = "parquet.field.id"

  // Spark marks files whose dates and timestamps use the calendar that it had before 3.0.
  private val LegacyKeys =
    Seq("org.apache.spark.legacyDateTime", "org.apache.spark.legacyINT96")

  private def isSigned(annotation: LogicalTypeAnnotation, bits: Int) = annotation match {
    case null => bits >= 32
    case i: IntLogicalTypeAnnotation => i.isSigned && i.getBitWidth == bits
    case _ => false
  }

  private def micros(time: TimestampLogicalTypeAnnotation) = time.getUnit match {
    case TimeUnit.MICROS => Some(1L)
    case TimeUnit.MILLIS => Some(1000L)
    case _ => None
  }

  // The Java collection converters have different names in Scala 2.12 and 2.13.
  private def toSeq[T](list: JavaList[T]): Seq[T] = (0 until list.size).map(i => list.get(i))
}

/**
 * Tests whether the row groups of a Parquet file can contain a key, by the minimum and maximum of a
 * column in the file's footer.
 */
private[sparksieve] final class FileTest(column: FooterColumn, keys: LongKeyFilter) {

  // Disjoint ranges that hold all keys, ascending: of an exact set, the keys themselves.
  private lazy val (lows, highs) = keys match {
    case exact: LongKeySet =>
      val sorted = exact.sorted
      (sorted, sorted)
    case _ =>
      val ranges = keys.ranges(KeyRanges.MaxRanges).toArray
      (ranges.map(_.low), ranges.map(_.high))
  }

  /** For each row group, whether it can contain a key. */
  def holds(footer: ParquetMetadata): Seq[Boolean] = column.ranges(footer).map(holds)

  private def holds(range: KeyRange) =
    if (range == FooterColumn.All) true
    else {
      val found = Arrays.binarySearch(highs, range.low)
      val next = if (found >= 0) found else -found - 1
      next < lows.length && lows(next) <= range.high
    }
}
