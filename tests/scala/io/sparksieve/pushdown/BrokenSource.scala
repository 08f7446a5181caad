// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import java.util

import org.apache.spark.sql.connector.catalog.{SupportsRead, Table, TableCapability, TableProvider}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** A source that can be planned only once: its second scan builder throws. */
class BrokenSource extends TableProvider {

  override def inferSchema(options: CaseInsensitiveStringMap): StructType = schema

  private val schema = new StructType().add("a", "int")

  override def getTable(
      asRead: StructType,
      partitioning: Array[Transform],
      properties: util.Map[String, String]): Table = new Table with SupportsRead {
    private var calls = 0
    override def name: String = "broken"
    override def schema: StructType = asRead
    override def capabilities: util.Set[TableCapability] =
      util.EnumSet.of(TableCapability.BATCH_READ)
    override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder = {
      calls += 1
      if (calls > 1) throw new IllegalStateException("no question twice")
      new ScanBuilder {
        override def build(): Scan = new Scan with Batch {
          override def readSchema: StructType = asRead
          override def toBatch: Batch = this
          override def planInputPartitions: Array[InputPartition] = Array.empty
          override def createReaderFactory: PartitionReaderFactory = null
        }
      }
    }
  }
}
