// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.metric.CustomTaskMetric
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.types.StructType

/** The batch of a scan. Batches that read the same data are equal, so Spark reuses exchanges. */
private[rangesource] final case class RangeDbBatch(
    options: RangeDbOptions,
    schema: StructType,
    keys: RangeSet,
    filters: Seq[Condition],
    limit: Option[Int])
    extends Batch {

  override def planInputPartitions(): Array[InputPartition] =
    RangeDbReading.partitions(options, keys, filters, limit).toArray

  override def createReaderFactory(): PartitionReaderFactory = RangeDbReaderFactory(schema)
}

private[rangesource] final case class RangeDbReaderFactory(schema: StructType)
    extends PartitionReaderFactory {

  override def createReader(partition: InputPartition): PartitionReader[InternalRow] =
    partition match {
      case p: RangeDbPartition => new RangeDbReader(new RangeDbReading(p), new RecordRow(schema))
      case other => throw new IllegalArgumentException(s"not a partition of rangedb: $other")
    }
}

private final class RangeDbReader(records: RangeDbReading, row: RecordRow)
    extends PartitionReader[InternalRow] {

  override def next(): Boolean = {
    val more = records.hasNext
    if (more) row.of(records.next())
    more
  }

  override def get(): InternalRow = row

  override def currentMetricsValues(): Array[CustomTaskMetric] = records.counters.toArray

  override def close(): Unit = ()
}
