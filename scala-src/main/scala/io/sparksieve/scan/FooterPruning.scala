// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileStatus
import org.apache.parquet.hadoop.metadata.ParquetMetadata

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf

/**
 * Finds the Parquet files to skip: those in which no row group can contain a key for every column.
 *
 * @param tests
 *   one test for each column
 * @param limits
 *   the numbers of files for which reading the footers pays
 */
private[sparksieve] final class FooterPruning(
    tests: Seq[FileTest],
    conf: Configuration,
    limits: FooterPruning.Limits,
    metrics: ScanMetrics) {

  /** For each file, whether it must be read. */
  def mustRead(files: Seq[FileStatus]): Seq[Boolean] =
    if (tests.isEmpty || files.size < limits.minFiles || files.size > limits.maxFiles)
      files.map(_ => true)
    else {
      val start = System.nanoTime()
      val verdicts = ParquetFooters.map(files, conf, limits.threads)(rowGroups)
      metrics.footersRead(verdicts.count(_.nonEmpty), System.nanoTime() - start)
      metrics.rowGroupsSkipped(verdicts.flatten.flatten.count(!_))
      verdicts.map(_.forall(_.contains(true)))
    }

  /** For each row group, whether it can contain a key for every column. */
  private def rowGroups(footer: ParquetMetadata): Seq[Boolean] =
    tests.map(_.holds(footer)).transpose.map(_.forall(identity))
}

private[sparksieve] object FooterPruning {

  /**
   * @param threads
   *   the most footers to read at the same time
   * @param minFiles
   *   with fewer files, no footers are read and all files are kept
   * @param maxFiles
   *   with more files, no footers are read and all files are kept
   */
  final case class Limits(threads: Int, minFiles: Int, maxFiles: Int)

  def limits(conf: SQLConf): Limits = Limits(
    SieveConf.dynamicFilterFooterThreads(conf),
    SieveConf.dynamicFilterFooterMinFiles(conf),
    SieveConf.dynamicFilterFooterMaxFiles(conf))
}
