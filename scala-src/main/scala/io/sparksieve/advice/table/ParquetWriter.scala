// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.table

import org.apache.spark.sql.catalyst.util.quoteIfNeeded

import io.sparksieve.advice.layout.{
  Arrangement,
  KeyRanks,
  Layout,
  Sample,
  Statement,
  TableLayout,
  TableSize
}
import io.sparksieve.advice.workload.{ComparedColumns, TableRef}

/**
 * A program that writes a sorted copy of Parquet files with the DataFrame API.
 *
 * @param today
 *   the present files
 * @param blockBytes
 *   the size of a row group that Parquet's configuration gives, compressed
 * @param pageBytes
 *   the size of the pages of a row group that are not finished, which Parquet's writer counts too,
 *   and which are not compressed
 */
private[advice] final class ParquetWriter(
    ref: TableRef,
    today: TableLayout,
    partitionColumns: Seq[String],
    blockBytes: Long,
    pageBytes: Long)
    extends LayoutWriter {

  private val size = today.size

  private val bytesPerRow = size.bytes.toDouble / math.max(1L, size.rows)

  /** As many files as today, unless they would be very large. */
  private val files =
    math.max(size.files, math.ceil(size.bytes.toDouble / ParquetWriter.LargestFile).toInt).max(1)

  private val rowsPerGroup = ParquetWriter
    .rowsOfFullGroup(today)
    .getOrElse(ParquetWriter.rowsOfBlock(size, blockBytes, pageBytes))

  private val rowsPerFile = size.rows.toDouble / files

  override val kinds: Seq[Layout.Kind] = Seq(Layout.Kind.Sort, Layout.Kind.Partition)

  override def accepts(column: String, kind: Layout.Kind): Boolean =
    !partitionColumns.contains(column)

  private def rowsPerGroup(shrink: Int): Double =
    if (shrink == 1) rowsPerGroup else math.min(rowsPerGroup, rowsPerFile) / shrink

  override val moreShrinks: Seq[Int] = Seq(4).filter { shrink =>
    val rows = rowsPerGroup(shrink)
    // Unfinished pages make the size of small row groups hard to foresee.
    rows >= ParquetWriter.FewestRows && rows * bytesPerRow >= 2.0 * pageBytes
  }

  override def rowGroups(shrink: Int): Int =
    math.max(size.rowGroups, math.ceil(rowsPerFile / rowsPerGroup(shrink)).toInt * files)

  override def predict(layout: Layout, sample: Sample, columns: ComparedColumns): TableLayout = {
    val directories = KeyRanks.of(sample, partitionColumns.flatMap(columns.index))
    val mine = KeyRanks.of(sample, layout.columns.flatMap(columns.index))
    val keys = if (directories.isEmpty) mine else KeyRanks.pair(directories, mine)
    val arrangement = layout.kind match {
      case Layout.Kind.Partition =>
        Arrangement.byValue(keys, if (directories.isEmpty) mine else keys)
      case _ if directories.isEmpty => Arrangement.byRange(keys, files)
      case _ => Arrangement.byRange(keys, files, directories)
    }
    arrangement.layout(sample, columns.size, size, rowsPerGroup(layout.shrink))
  }

  override def statement(layout: Layout): Statement = {
    val columns = partitionColumns ++ layout.columns
    val names = columns.map(quoted).mkString(", ")
    val read = ref.name match {
      case Some(name) => s"spark.table(${quoted(name)})"
      case None if ref.paths.size == 1 => s"spark.read.parquet(${quoted(ref.paths.head)})"
      case None => s"spark.read.parquet(${ref.paths.map(quoted).mkString(", ")})"
    }
    val isPartition = layout.kind == Layout.Kind.Partition
    val distribute =
      if (isPartition) s".repartition($names)" else s".repartitionByRange($files, $names)"
    val directories = if (isPartition) columns else partitionColumns
    // The size of row groups is given where it is not the default, so that it is kept.
    val group = rowsPerGroup(layout.shrink) * bytesPerRow + pageBytes
    val option =
      if (layout.shrink == 1 && size.rowGroups <= size.files) None
      else Some(s""".option("parquet.block.size", ${math.max(1L, math.round(group))})""")
    val partitionBy =
      if (directories.isEmpty) None
      else Some(s".partitionBy(${directories.map(quoted).mkString(", ")})")
    val suffix = "_by_" + layout.columns.mkString("_").replaceAll("[^A-Za-z0-9_]", "_")
    val write = ref.name match {
      case Some(_) =>
        val parts = ref.parts
        val target = (parts.init :+ (parts.last + suffix)).map(quoteIfNeeded).mkString(".")
        s".saveAsTable(${quoted(target)})"
      case None => s".parquet(${quoted(ref.paths.head.stripSuffix("/") + suffix)})"
    }
    val lines = Seq(distribute, s".sortWithinPartitions($names)", ".write") ++
      option ++ partitionBy :+ write
    Statement("python", (s"($read" +: lines.map("    " + _)).mkString("\n") + ")")
  }

  private def quoted(text: String) =
    "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
}

private[advice] object ParquetWriter {

  /** The rows of a row group of this size, of which some is for unfinished pages. */
  def rowsOfBlock(size: TableSize, blockBytes: Long, pageBytes: Long): Double = {
    val bytesPerRow = size.bytes.toDouble / math.max(1L, size.rows)
    val inside = math.max(blockBytes - pageBytes, blockBytes / 2)
    math.max(1.0, inside / math.max(bytesPerRow, 1e-9))
  }

  /**
   * The rows of a full row group in files that have several: these show the size that they were
   * written with. The last group of a file is not full.
   */
  private def rowsOfFullGroup(today: TableLayout): Option[Double] = {
    val full = today.files.flatMap(_.rowGroups.dropRight(1)).map(_.rows).sorted
    if (full.isEmpty) None else Some(full(full.size / 2).toDouble)
  }

  /** Bytes; larger files are split, because one task writes each file. */
  private final val LargestFile = 1L << 30

  /** Parquet's writer finishes a page after this many rows at the latest. */
  final val RowsPerPage = 20000

  /** Row groups with fewer rows cost more to find than they save. */
  private final val FewestRows = 40000
}
