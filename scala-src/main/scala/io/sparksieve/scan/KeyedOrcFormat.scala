// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

/**
 * Spark's reader of ORC files with more filters. Spark makes a file's filters from the types in the
 * file, and fails if a constant is of another type, for example if a table's strings are integers in
 * a file. Such a file is read without the filters that were added.
 *
 * @param added
 *   the filters that a file may be read without; a scan has the query's own besides
 */
private[scan] final class KeyedOrcFormat(added: Set[Filter]) extends OrcFileFormat {

  override def buildReaderWithPartitionValues(
      session: SparkSession,
      dataSchema: StructType,
      partitionSchema: StructType,
      requiredSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String],
      hadoopConf: Configuration): PartitionedFile => Iterator[InternalRow] = {
    // A reader keeps its filters in its configuration.
    def reader(filters: Seq[Filter]) = super.buildReaderWithPartitionValues(
      session,
      dataSchema,
      partitionSchema,
      requiredSchema,
      filters,
      options,
      new Configuration(hadoopConf))
    KeyedOrcFormat.either(reader(filters), reader(filters.filterNot(added)))
  }
}

private object KeyedOrcFormat {

  /** What the first reader yields for a file, or the second one if the first cannot be opened. */
  def either(
      first: PartitionedFile => Iterator[InternalRow],
      second: PartitionedFile => Iterator[InternalRow]): PartitionedFile => Iterator[InternalRow] =
    file =>
      try first(file)
      catch { case NonFatal(_) => second(file) }
}
