// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import scala.util.control.NonFatal

import org.apache.parquet.hadoop.metadata.{BlockMetaData, ColumnChunkMetaData, ParquetMetadata}
import org.apache.parquet.schema.{LogicalTypeAnnotation, PrimitiveType}
import org.apache.parquet.schema.LogicalTypeAnnotation._
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName._

import org.apache.spark.sql.types._

import io.sparksieve.keyset.KeyRange

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

  private val chunks = new FooterChunks(field.name, caseSensitive)

  /** For each row group of the file, a range that covers all its values; [[All]] if unknown. */
  def ranges(footer: ParquetMetadata): Seq[KeyRange] = {
    val blocks = FooterChunks.rowGroups(footer)
    val read = chunks.column(footer).filter(_ => isTrusted(footer)).flatMap { c =>
      unit(c).map(u => blocks.map(ofBlock(_, c.getName, u)))
    }
    read.getOrElse(blocks.map(_ => All))
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
      val found = FooterChunks.chunk(block, name).fold(All)(ofChunk(_, unit))
      if (KeyRanges.modern(field.dataType).forall(found.low >= _)) found else All
    } catch {
      // The statistics are encrypted, or overflow a long in Spark's unit.
      case NonFatal(_) => All
    }

  private def ofChunk(chunk: ColumnChunkMetaData, unit: Long): KeyRange =
    FooterChunks.ofStatistics(chunk, unknown = All, noValue = NoValue) {
      case (least: Number, greatest: Number) =>
        val low = Math.multiplyExact(least.longValue, unit)
        val high = Math.multiplyExact(greatest.longValue, unit)
        // Bounds that contradict each other bound nothing.
        if (low <= high) KeyRange(low, high) else All
      case _ => All
    }
}

private[sparksieve] object FooterColumn {

  /** The range of all values: nothing is known. */
  val All: KeyRange = KeyRange(Long.MinValue, Long.MaxValue)

  /** The range of a row group in which every value of the column is NULL; it contains no key. */
  val NoValue: KeyRange = KeyRange(Long.MaxValue, Long.MinValue)

  /** Whether the values of a type are encoded as longs that footers hold. */
  def supports(dataType: DataType): Boolean = dataType match {
    case DateType | TimestampType | TimestampNTZType => true
    case d: DecimalType => d.precision <= Decimal.MAX_LONG_DIGITS
    case other => KeyRanges.isIntegral(other)
  }

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
}
