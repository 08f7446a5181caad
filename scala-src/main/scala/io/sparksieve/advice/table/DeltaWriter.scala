// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.table

import io.sparksieve.advice.layout.{Arrangement, KeyRanks, Layout, Sample, Statement, TableLayout}
import io.sparksieve.advice.workload.ComparedColumns

/**
 * `OPTIMIZE … ZORDER BY`, as Delta runs it: each partition is cut into files of the configured size,
 * often a single one, by ranges on a curve through up to 1,000 ranges of each column. Rows with
 * equal positions are spread at random, and rows within a file are in no order, so that its row
 * groups skip little more than the file.
 *
 * @param table
 *   its name in SQL
 * @param indexed
 *   the columns that the log has statistics for
 * @param mostFileBytes
 *   the size of files by the session's configuration
 */
private[advice] final class DeltaWriter(
    table: String,
    today: TableLayout,
    partitionColumns: Seq[String],
    indexed: Seq[String],
    mostFileBytes: Long,
    blockBytes: Long,
    pageBytes: Long)
    extends LayoutWriter {

  private val size = today.size

  override val kinds: Seq[Layout.Kind] = Seq(Layout.Kind.ZOrder)

  override def accepts(column: String, kind: Layout.Kind): Boolean =
    !partitionColumns.contains(column) && indexed.contains(column)

  private val byDefault = math.max(1L, size.bytes / mostFileBytes).toInt

  /** With the default size, and with as many files as today. */
  override val shrinks: Seq[Int] = Seq(1, size.files / byDefault).filter(_ >= 1).distinct

  private def fileBytes(shrink: Int): Long =
    if (shrink == 1) mostFileBytes
    else math.max(1L, size.bytes / (byDefault.toLong * shrink))

  override def rowGroups(shrink: Int): Int = {
    val perFile = math.ceil(fileBytes(shrink).toDouble / blockBytes).toInt.max(1)
    val files = math.max(1L, size.bytes / fileBytes(shrink)).toInt
    math.max(files, math.min(files * perFile, math.max(size.rowGroups, files)))
  }

  override def predict(layout: Layout, sample: Sample, columns: ComparedColumns): TableLayout = {
    val mine = layout.columns.flatMap(columns.index).map(i => KeyRanks.of(sample, Seq(i)))
    val directories = KeyRanks.of(sample, partitionColumns.flatMap(columns.index))
    val ids = mine.map(KeyRanks.rangeIds(_, DeltaWriter.Ranges))
    val keys = KeyRanks.mixed(KeyRanks.interleaved(ids, DeltaWriter.Bits))
    val bytesPerSample = size.bytes.toDouble / math.max(1, sample.rows)
    val files = (rows: Int) => (rows * bytesPerSample / fileBytes(layout.shrink) + 0.01).toInt
    Arrangement
      .inDirectories(keys, directories)(Arrangement.evenly(files))
      .shuffled
      .layout(sample, columns.size, size, ParquetWriter.rowsOfBlock(size, blockBytes, pageBytes))
  }

  override def statement(layout: Layout): Statement = {
    val columns = layout.columns.map(c => s"`${c.replace("`", "``")}`").mkString(", ")
    val set =
      if (layout.shrink == 1) ""
      else s"SET ${AdvisedDelta.MaxFileSize} = ${fileBytes(layout.shrink)};\n"
    Statement("sql", s"${set}OPTIMIZE $table ZORDER BY ($columns)")
  }
}

private[advice] object DeltaWriter {

  /** The number of ranges of a column, by Delta's default configuration. */
  private final val Ranges = 1000

  /** Bits of the number of a range. */
  private final val Bits = 10
}
