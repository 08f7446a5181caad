// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.datasources.{FileIndex, PartitionDirectory}
import org.apache.spark.sql.types.StructType

import io.sparksieve.keyset.{KeySet, KeyType}

/**
 * Lists the files of another index that can contain keys: the files of partitions that pass every
 * test, without those that their footers rule out. Lives for one run of a scan.
 *
 * @param holdsNothing
 *   whether there are no keys, so that no file is listed
 */
private[sparksieve] final class PrunedFileIndex(
    all: FileIndex,
    holdsNothing: Boolean,
    partitions: Seq[PartitionTest],
    footers: FooterPruning,
    metrics: ScanMetrics)
    extends FileIndex {

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]): Seq[PartitionDirectory] = {
    val listed = all.listFiles(partitionFilters, dataFilters)
    val kept =
      if (holdsNothing) Nil
      else withoutRuledOut(listed.filter(d => partitions.forall(_.holds(d.values))))
    val before = FileFormats.filesPlanned(all).getOrElse(countFiles(listed))
    metrics.filesSkipped(before, countFiles(kept))
    kept
  }

  private def withoutRuledOut(directories: Seq[PartitionDirectory]): Seq[PartitionDirectory] = {
    val verdicts = footers.mustRead(directories.flatMap(_.files.map(_.fileStatus))).iterator
    // Strict, because each file takes the next verdict.
    val pruned = directories.toVector.map { directory =>
      directory.copy(files = directory.files.toVector.filter(_ => verdicts.next()))
    }
    pruned.filter(_.files.nonEmpty)
  }

  private def countFiles(directories: Seq[PartitionDirectory]) =
    directories.iterator.map(_.files.size.toLong).sum

  override def rootPaths: Seq[Path] = all.rootPaths

  override def inputFiles: Array[String] = all.inputFiles

  override def refresh(): Unit = all.refresh()

  override def sizeInBytes: Long = all.sizeInBytes

  override def partitionSchema: StructType = all.partitionSchema

  override def metadataOpsTimeNs: Option[Long] = all.metadataOpsTimeNs
}

/**
 * Tests whether the files of a partition can contain a key: whether its partition value is a key.
 *
 * @param ordinal
 *   the ordinal of the partition column
 * @param keyType
 *   how values of the column are encoded as keys
 */
private[sparksieve] final class PartitionTest(ordinal: Int, keyType: KeyType, keys: KeySet) {

  def holds(values: InternalRow): Boolean =
    !keys.isEmpty && !values.isNullAt(ordinal) && keyType.contains(keys, values, ordinal)
}
