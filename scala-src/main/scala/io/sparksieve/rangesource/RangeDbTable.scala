// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import java.util.{Collections, Locale, Map => JavaMap, Set => JavaSet}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.read.ScanBuilder
import org.apache.spark.sql.sources.DataSourceRegister
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import io.sparksieve.common.UnchangingTable

/** The read-only DSv2 table of [[RangeDb]]. Tables with the same options are equal. */
private[rangesource] final case class RangeDbTable(options: RangeDbOptions)
    extends Table
    with SupportsRead
    with UnchangingTable {

  override def name(): String = s"rangedb.t${options.rows}"

  // Deprecated in favour of columns(), which calls this method in each Spark line.
  override def schema(): StructType = options.schema

  override def capabilities(): JavaSet[TableCapability] =
    Collections.singleton(TableCapability.BATCH_READ)

  override def properties(): JavaMap[String, String] =
    Collections.singletonMap(TableCatalog.PROP_PROVIDER, "rangedb")

  /** Builds a scan. Read options may override the table's options, except `rows` and `nested`. */
  override def newScanBuilder(read: CaseInsensitiveStringMap): ScanBuilder = {
    val wanted = RangeDbOptions.changed(
      options,
      read.asScala.map { case (k, v) => k.toLowerCase(Locale.ROOT) -> v }.toMap)
    if (wanted.rows != options.rows || wanted.nested != options.nested)
      throw new IllegalArgumentException(
        s"The table $name cannot be read with other ${RangeDbOptions.Rows} or " +
          s"${RangeDbOptions.Nested} than it has: $options.")
    new RangeDbScanBuilder(wanted)
  }
}

/** `spark.read.format("rangedb")`; `RangeDbOptions` has its options. */
final class RangeDbSource extends TableProvider with DataSourceRegister {

  override def shortName(): String = "rangedb"

  override def inferSchema(options: CaseInsensitiveStringMap): StructType =
    RangeDbOptions(options).schema

  override def getTable(
      schema: StructType,
      partitioning: Array[Transform],
      properties: JavaMap[String, String]): Table = RangeDbTable(RangeDbOptions(properties))
}
