// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import java.nio.file.Files

import org.apache.spark.SparkConf
import org.apache.spark.network.util.JavaUtils

/** A session with a catalog `ice` of Iceberg tables, and Iceberg's own extension. */
trait IcebergSession extends SieveTest {

  private lazy val warehouse = Files.createTempDirectory("ice")

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set(
        "spark.sql.extensions",
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions," +
          classOf[SieveExtensions].getName)
      .set("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog")
      .set("spark.sql.catalog.ice.type", "hadoop")
      .set("spark.sql.catalog.ice.warehouse", warehouse.toString)

  override def afterAll(): Unit =
    try super.afterAll()
    finally JavaUtils.deleteRecursively(warehouse.toFile)
}
