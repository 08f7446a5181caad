// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.math.{BigDecimal => JavaDecimal, BigInteger}

import scala.util.control.NonFatal

import org.apache.parquet.hadoop.metadata.{BlockMetaData, ParquetMetadata}
import org.apache.parquet.io.api.Binary
import org.apache.parquet.schema.LogicalTypeAnnotation.{
  DecimalLogicalTypeAnnotation,
  StringLogicalTypeAnnotation
}
import org.apache.parquet.schema.PrimitiveType
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName._

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.ByteArray

import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.bytes.{BytesKeyType, BytesRange}
import io.sparksieve.keyset.table.BytesConsumer

/**
 * Reads bounds of the values of a top-level column in each row group of a Parquet file, encoded as
 * keys ([[BytesKeyType]]): of strings, binary, and decimals of more than 18 digits. Supports only
 * columns that the file stores with the same logical type that Spark reads. Writers may shorten the
 * bounds of long values, so these need not be values of the column.
 *
 * @param field
 *   the column in the table's schema
 * @param caseSensitive
 *   whether Spark resolves column names case-sensitively
 */
private[scan] final class FooterBytes(field: StructField, caseSensitive: Boolean) {
  import FooterBytes._

  private val chunks = new FooterChunks(field.name, caseSensitive)

  /** What is known of the values in each row group of the file. */
  def bounds(footer: ParquetMetadata): Seq[Bounds] = {
    val blocks = FooterChunks.rowGroups(footer)
    val read = chunks.column(footer).flatMap { column =>
      encoder(column).map(encode => blocks.map(ofBlock(encode, column.getName, _)))
    }
    read.getOrElse(blocks.map(_ => Unknown))
  }

  /** The encoding of a value in the file; None if the types do not match. */
  private def encoder(column: PrimitiveType): Option[Binary => Array[Byte]] = {
    val physical = column.getPrimitiveTypeName
    (field.dataType, column.getLogicalTypeAnnotation) match {
      case (_: StringType, _: StringLogicalTypeAnnotation) if physical == BINARY =>
        Some(_.getBytes)
      case (BinaryType, null) if physical == BINARY => Some(_.getBytes)
      case (d: DecimalType, f: DecimalLogicalTypeAnnotation)
          if (physical == BINARY || physical == FIXED_LEN_BYTE_ARRAY) && f.getScale == d.scale &&
            f.getPrecision <= d.precision =>
        keyType(d).map(keys => (value: Binary) => decimal(whole(value, column), d, keys))
      case _ => None
    }
  }

  private def ofBlock(encode: Binary => Array[Byte], name: String, block: BlockMetaData): Bounds =
    try
      FooterChunks.chunk(block, name).fold[Bounds](Unknown) {
        FooterChunks.ofStatistics[Bounds](_, Unknown, NoValue) {
          case (least: Binary, greatest: Binary) =>
            val range = BytesRange(encode(least), encode(greatest))
            // Bounds that contradict each other bound nothing.
            if (ByteArray.compareBinary(range.low, range.high) <= 0) Within(range) else Unknown
          case _ => Unknown
        }
      }
    catch {
      // The statistics are encrypted, or a decimal has more digits or bytes than its type.
      case NonFatal(_) => Unknown
    }
}

private[scan] object FooterBytes {

  /** What is known of the values of a column in a row group. */
  sealed trait Bounds

  case object Unknown extends Bounds

  /** Every value is NULL. */
  case object NoValue extends Bounds

  /** Every value is in the range, ends included, or NULL. */
  final case class Within(range: BytesRange) extends Bounds

  /** Whether the values of a type are encoded as bytes that footers hold. */
  def supports(dataType: DataType): Boolean = keyType(dataType).nonEmpty

  private def keyType(dataType: DataType): Option[BytesKeyType] =
    KeyTypes.of(dataType).collect { case bytes: BytesKeyType => bytes }

  /** A number of fixed length; a shortened one would be another number. */
  private def whole(value: Binary, column: PrimitiveType): Binary = {
    val isFixed = column.getPrimitiveTypeName == FIXED_LEN_BYTE_ARRAY
    require(
      !isFixed || value.length == column.getTypeLength,
      s"$column has a bound of other length")
    value
  }

  /** The key of a decimal. @param unscaled its digits as a number in two's complement */
  private def decimal(unscaled: Binary, dataType: DecimalType, keys: BytesKeyType): Array[Byte] = {
    val exact = new JavaDecimal(new BigInteger(unscaled.getBytes), dataType.scale)
    val value = Decimal(exact, dataType.precision, dataType.scale)
    var key = Array.emptyByteArray
    val consumer: BytesConsumer = (base: Object, offset: Long, length: Int) => {
      key = new Array[Byte](length)
      Platform.copyMemory(base, offset, key, Platform.BYTE_ARRAY_OFFSET, length.toLong)
    }
    keys.encode(new GenericInternalRow(Array[Any](value)), 0, consumer)
    key
  }
}
