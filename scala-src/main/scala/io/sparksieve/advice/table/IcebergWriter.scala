// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.table

import java.nio.ByteBuffer

import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.types.{DataType, DecimalType, StructType}

import io.sparksieve.advice.layout.{
  Arrangement,
  KeyRanks,
  Layout,
  RankedColumn,
  Sample,
  Statement,
  TableLayout
}
import io.sparksieve.advice.workload.{ComparedColumns, TextCode}

/**
 * `CALL … rewrite_data_files`, as Iceberg runs it: the rows of each partition are cut by ranges into
 * files of the configured size, and sorted in each. The curve interleaves the bits of the values
 * themselves, eight bytes of each, so that columns count by their magnitudes.
 *
 * @param name
 *   the parts of the table's name, the catalog first
 * @param fileBytes
 *   the size of files by the table's properties
 */
private[advice] final class IcebergWriter(
    name: Seq[String],
    schema: StructType,
    today: TableLayout,
    partitionColumns: Seq[String],
    fileBytes: Long,
    blockBytes: Long,
    pageBytes: Long)
    extends LayoutWriter {

  private val size = today.size

  override val kinds: Seq[Layout.Kind] = Seq(Layout.Kind.Sort, Layout.Kind.ZOrder)

  override def accepts(column: String, kind: Layout.Kind): Boolean =
    !partitionColumns.contains(column) && (kind != Layout.Kind.ZOrder || !isDecimal(column))

  private def isDecimal(column: String) = schema(column).dataType match {
    case _: DecimalType => true
    case _: DataType => false
  }

  private val byDefault = filesFor(size.bytes.toDouble, fileBytes)

  /** With the default size, and with as many files as today. */
  override val shrinks: Seq[Int] = Seq(1, size.files / byDefault).filter(_ >= 1).distinct

  private def target(shrink: Int): Long =
    if (shrink == 1) fileBytes else math.max(1L, size.bytes / (byDefault.toLong * shrink))

  /** Iceberg's number of files: a small rest is spread over the others. */
  private def filesFor(bytes: Double, target: Long): Int =
    if (bytes < target) 1
    else {
      val whole = math.floor(bytes / target).toInt
      val rest = bytes - whole.toDouble * target
      if (rest > IcebergWriter.LeastFile * target || bytes / whole >= 1.1 * target)
        math.ceil(bytes / target).toInt
      else whole
    }

  override def rowGroups(shrink: Int): Int =
    math.max(filesFor(size.bytes.toDouble, target(shrink)), (size.bytes / blockBytes).toInt)

  override def predict(layout: Layout, sample: Sample, columns: ComparedColumns): TableLayout = {
    val mine = layout.columns.flatMap(columns.index)
    val keys = layout.kind match {
      case Layout.Kind.ZOrder =>
        KeyRanks.onCurve(mine.map(i => IcebergWriter.bits(sample.columns(i))))
      case _ => KeyRanks.of(sample, mine)
    }
    val directories = KeyRanks.of(sample, partitionColumns.flatMap(columns.index))
    val perRow = size.bytes.toDouble / math.max(1, sample.rows)
    val bytes = target(layout.shrink)
    val files = (rows: Int) => filesFor(rows * perRow + 1, bytes)
    Arrangement
      .inDirectories(keys, directories)(
        Arrangement.ranges(keys, files, IcebergWriter.MostFile * bytes / perRow))
      .layout(sample, columns.size, size, ParquetWriter.rowsOfBlock(size, blockBytes, pageBytes))
  }

  override def statement(layout: Layout): Statement = {
    val (catalog, table) =
      if (name.size > 2) (name.head, name.tail) else ("spark_catalog", name)
    val columns = layout.columns.map(quoteIfNeeded).mkString(", ")
    val order = if (layout.kind == Layout.Kind.ZOrder) s"zorder($columns)" else columns
    val options = Seq("rewrite-all" -> "true") ++
      (if (layout.shrink == 1) Nil
       else Seq("target-file-size-bytes" -> target(layout.shrink).toString))
    def text(value: String) = "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    val map = options.map { case (k, v) => s"${text(k)}, ${text(v)}" }.mkString(", ")
    Statement(
      "sql",
      s"CALL ${quoteIfNeeded(catalog)}.system.rewrite_data_files(table => ${text(table.map(quoteIfNeeded).mkString("."))}, " +
        s"strategy => 'sort', sort_order => ${text(order)}, options => map($map))"
    )
  }
}

private[advice] object IcebergWriter {

  /** Share of the target size from which a rest becomes a file. */
  private final val LeastFile = 0.75

  /** Share of the target size after which a writer begins another file. */
  private final val MostFile = 1.4

  /** The first eight bytes of each value, in the order of unsigned numbers; NULL is 0. */
  private def bits(column: RankedColumn): Array[Long] = {
    val ofRank = Array.tabulate(column.cardinality)(rank => bits(column.code(rank)))
    column.ranks.map(rank => if (rank == RankedColumn.Null) 0L else ofRank(rank))
  }

  private def bits(code: AnyRef): Long = code match {
    case long: java.lang.Long => long.longValue ^ Long.MinValue
    case text: TextCode => ByteBuffer.wrap(java.util.Arrays.copyOf(text.bytes, 8)).getLong
    case _ => 0L
  }
}
