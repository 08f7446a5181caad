// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.table

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileStatus
import org.apache.parquet.column.statistics.Statistics
import org.apache.parquet.hadoop.metadata.{BlockMetaData, ParquetMetadata}
import org.apache.parquet.io.api.Binary
import org.apache.parquet.schema.{LogicalTypeAnnotation, MessageType}
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._

import io.sparksieve.advice.layout.{DataFile, RowGroup, TableLayout}
import io.sparksieve.advice.workload.{Coding, ColumnRange, ComparedColumns, TextCode}
import io.sparksieve.keyset.KeyRange
import io.sparksieve.scan.{FooterColumn, ParquetFooters}

/**
 * Reads the layout of Parquet files from their footers.
 *
 * @param columns
 *   the compared columns
 * @param partitions
 *   the partition columns, whose values are not in the files
 * @param storedAs
 *   the name of a column in the files
 */
private[advice] final class ParquetLayout(
    columns: ComparedColumns,
    partitions: StructType,
    storedAs: StructField => String,
    caseSensitive: Boolean) {

  import ParquetLayout.Listed

  /**
   * The layout, the schema of one of the files, and the number of files whose footers cannot be
   * read. Such files are left out.
   */
  def read(
      files: Seq[Listed],
      conf: Configuration,
      threads: Int): (TableLayout, Option[MessageType], Int) = {
    val found = ParquetFooters.map(files.map(_.file), conf, threads) { footer =>
      (rowGroups(footer), footer.getFileMetaData.getSchema)
    }
    val read = files.zip(found).collect { case (listed, Some((groups, schema))) =>
      (file(listed, groups), schema)
    }
    // A file without rows is neither read nor rewritten.
    val layout = TableLayout(read.map(_._1).filter(_.rowGroups.nonEmpty).toIndexedSeq)
    (layout, read.headOption.map(_._2), found.count(_.isEmpty))
  }

  private def file(listed: Listed, groups: Seq[RowGroup]): DataFile = {
    val fixed = columns.fields.indices.map { i =>
      val ordinal = partitions.indexWhere(_.name == columns.fields(i).name)
      if (ordinal < 0) None else Some(ColumnRange.of(value(listed.values, ordinal, i)))
    }
    val all = groups.map { group =>
      group.copy(ranges =
        group.ranges.indices.map(i => fixed(i).getOrElse(group.ranges(i))).toArray)
    }
    DataFile(listed.file.getPath.toString, DataFile.ranges(all, columns.size), all)
  }

  private def value(values: InternalRow, ordinal: Int, column: Int): AnyRef = {
    val dataType = columns.fields(column).dataType
    if (values.isNullAt(ordinal)) null
    else columns.codings(column).encode(values.get(ordinal, dataType))
  }

  private def rowGroups(footer: ParquetMetadata): Seq[RowGroup] = {
    val blocks = (0 until footer.getBlocks.size).map(footer.getBlocks.get)
    val ranges = columns.fields.indices.map(i => ofColumn(footer, blocks, i))
    blocks.indices.map { b =>
      RowGroup(blocks(b).getRowCount, blocks(b).getCompressedSize, ranges.map(_(b)).toArray)
    }
  }

  private def ofColumn(
      footer: ParquetMetadata,
      blocks: Seq[BlockMetaData],
      i: Int): Seq[ColumnRange] = {
    val field = columns.fields(i)
    val name = storedAs(field)
    val stored = StructField(name, field.dataType, field.nullable)
    // Whole numbers, dates and times: the same rules as for skipping by keys.
    val longs = field.dataType match {
      case _: StringType | FloatType | DoubleType | BooleanType => None
      case d: DecimalType if d.precision > Decimal.MAX_LONG_DIGITS => None
      case _ => Some(new FooterColumn(stored, caseSensitive).ranges(footer))
    }
    blocks.indices.map { b =>
      try ofBlock(blocks(b), name, columns.codings(i), longs.map(_(b)))
      catch { case NonFatal(_) => ColumnRange.Unknown }
    }
  }

  private def ofBlock(
      block: BlockMetaData,
      name: String,
      coding: Coding,
      known: Option[KeyRange]): ColumnRange = {
    val chunk = (0 until block.getColumns.size).map(block.getColumns.get).find { c =>
      val path = c.getPath.toArray
      path.length == 1 && (if (caseSensitive) path.head == name
                           else path.head.equalsIgnoreCase(name))
    }
    chunk.fold(ColumnRange.OnlyNulls) { c =>
      val statistics: Statistics[_] = c.getStatistics
      if (statistics == null || statistics.isEmpty) ColumnRange.Unknown
      else {
        val nulls = !statistics.isNumNullsSet || statistics.getNumNulls > 0
        if (!statistics.hasNonNullValue)
          if (statistics.isNumNullsSet && statistics.getNumNulls == c.getValueCount)
            ColumnRange.OnlyNulls
          else ColumnRange.Unknown
        else {
          val annotation = c.getPrimitiveType.getLogicalTypeAnnotation
          def code(value: Any) = ParquetLayout.code(value, annotation, coding)
          val ends = known match {
            case Some(FooterColumn.All) =>
              Some((statistics.genericGetMin, statistics.genericGetMax)).flatMap {
                // Decimals that files store as bytes.
                case (low: Binary, high: Binary) => Some((code(low), code(high)))
                case _ => None
              }
            case Some(range) => Some((Long.box(range.low), Long.box(range.high)))
            case None => Some((code(statistics.genericGetMin), code(statistics.genericGetMax)))
          }
          ends.fold(ColumnRange.Unknown.copy(hasNulls = nulls)) { case (low, high) =>
            ColumnRange(low, high, nulls, hasValues = true)
          }
        }
      }
    }
  }
}

private[advice] object ParquetLayout {

  /** @param values of the partition columns; it must not change later */
  final case class Listed(file: FileStatus, values: InternalRow)

  private def code(value: Any, annotation: LogicalTypeAnnotation, coding: Coding): AnyRef =
    (value, coding.dataType, annotation) match {
      case (b: Binary, _: StringType, _) => new TextCode(b.getBytes)
      case (b: Binary, d: DecimalType, stored: DecimalLogicalTypeAnnotation)
          if stored.getScale == d.scale =>
        val unscaled = new java.math.BigInteger(b.getBytes)
        coding.encode(Decimal(new java.math.BigDecimal(unscaled, d.scale), d.precision, d.scale))
      case (n: java.lang.Double, DoubleType, _) => coding.encode(n.doubleValue)
      case (n: java.lang.Float, FloatType, _) => coding.encode(n.floatValue)
      case (b: java.lang.Boolean, BooleanType, _) => coding.encode(b.booleanValue)
      case _ => throw new IllegalArgumentException(s"$value is no ${coding.dataType.sql}")
    }
}
