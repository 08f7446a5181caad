// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.layout

import io.sparksieve.advice.workload.{ColumnRange, Condition}

/**
 * A row group, with what its statistics say.
 *
 * @param bytes
 *   compressed
 * @param ranges
 *   for each compared column
 */
private[advice] final case class RowGroup(rows: Long, bytes: Long, ranges: Array[ColumnRange])

/**
 * @param name
 *   the path; empty for a file that is only predicted
 * @param ranges
 *   for each compared column, as the table's metadata or the row groups say
 */
private[advice] final case class DataFile(
    name: String,
    ranges: Array[ColumnRange],
    rowGroups: Seq[RowGroup])

private[advice] object DataFile {

  /** The ranges of a file, from those of its row groups. */
  def ranges(groups: Seq[RowGroup], columns: Int): Array[ColumnRange] =
    Array.tabulate(columns) { i =>
      groups.map(_.ranges(i)).reduceOption(_ union _).getOrElse(ColumnRange.OnlyNulls)
    }
}

/** The files of a table, present or predicted. */
private[advice] final case class TableLayout(files: IndexedSeq[DataFile]) {

  lazy val size: TableSize = TableSize(
    files.size,
    files.iterator.map(_.rowGroups.size).sum,
    files.iterator.flatMap(_.rowGroups).map(_.rows).sum,
    files.iterator.flatMap(_.rowGroups).map(_.bytes).sum
  )

  /**
   * What a query reads.
   *
   * @param mayRead
   *   whether a file with this name may be read, for reasons besides the condition on files
   */
  def read(condition: ReadCondition, mayRead: String => Boolean = _ => true): Shares = {
    var filesRead, groupsRead = 0
    var bytesRead = 0L
    files.foreach { file =>
      if (mayRead(file.name) && condition.files.mayHold(file.ranges)) {
        var any = false
        file.rowGroups.foreach { group =>
          if (condition.rowGroups.mayHold(group.ranges)) {
            any = true
            groupsRead += 1
            bytesRead += group.bytes
          }
        }
        if (any) filesRead += 1
      }
    }
    def share(part: Double, whole: Double) = if (whole == 0) 0.0 else part / whole
    Shares(
      share(filesRead.toDouble, size.files.toDouble),
      share(groupsRead.toDouble, size.rowGroups.toDouble),
      share(bytesRead.toDouble, size.bytes.toDouble))
  }
}

/**
 * A query's condition as a source tests it.
 *
 * @param files
 *   against the metadata of the table, for whole files
 * @param rowGroups
 *   against the statistics of row groups
 */
private[advice] final case class ReadCondition(files: Condition, rowGroups: Condition) {
  def columns: Set[Int] = files.columns ++ rowGroups.columns
}
