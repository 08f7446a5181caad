// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.util.{List => JavaList}

import org.apache.parquet.column.statistics.Statistics
import org.apache.parquet.hadoop.metadata.{BlockMetaData, ColumnChunkMetaData, ParquetMetadata}
import org.apache.parquet.schema.{PrimitiveType, Type}

/**
 * The statistics of a top-level column of primitive type in a Parquet file.
 *
 * @param name
 *   the column's name in the table's schema
 * @param caseSensitive
 *   whether Spark resolves column names case-sensitively
 */
private[scan] final class FooterChunks(name: String, caseSensitive: Boolean) {
  import FooterChunks._

  /** The file's primitive column with the name, if exactly one column has that name. */
  def column(footer: ParquetMetadata): Option[PrimitiveType] = {
    val named = toSeq(footer.getFileMetaData.getSchema.getFields).filter { f =>
      if (caseSensitive) f.getName == name else f.getName.equalsIgnoreCase(name)
    }
    named match {
      case Seq(f) if f.isPrimitive && !f.isRepetition(Type.Repetition.REPEATED) =>
        Some(f.asPrimitiveType)
      case _ => None
    }
  }
}

private[scan] object FooterChunks {

  def rowGroups(footer: ParquetMetadata): Seq[BlockMetaData] = toSeq(footer.getBlocks)

  /** A column's chunk in a row group. @param name the column's name in the file */
  def chunk(block: BlockMetaData, name: String): Option[ColumnChunkMetaData] =
    toSeq(block.getColumns).find { c =>
      val path = c.getPath.toArray
      path.length == 1 && path.head == name
    }

  /**
   * What the statistics of a chunk say.
   *
   * @param unknown
   *   the result if there are no statistics
   * @param noValue
   *   the result if all values are NULL
   * @param bounds
   *   the result for the least and the greatest value, or bounds of them
   */
  def ofStatistics[T](chunk: ColumnChunkMetaData, unknown: T, noValue: T)(
      bounds: (Any, Any) => T): T = {
    val statistics: Statistics[_] = chunk.getStatistics
    if (statistics == null || statistics.isEmpty) unknown
    else if (statistics.hasNonNullValue) bounds(statistics.genericGetMin, statistics.genericGetMax)
    else if (statistics.isNumNullsSet && statistics.getNumNulls == chunk.getValueCount) noValue
    else unknown
  }

  // The Java collection converters have different names in Scala 2.12 and 2.13.
  private def toSeq[T](list: JavaList[T]): Seq[T] = (0 until list.size).map(i => list.get(i))
}
