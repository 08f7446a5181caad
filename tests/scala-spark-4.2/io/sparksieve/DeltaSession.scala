// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import org.apache.spark.SparkConf

/** A session whose default catalog has Delta tables, with Delta's own extension. */
trait DeltaSession extends SieveTest {

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set(
        "spark.sql.extensions",
        s"io.delta.sql.DeltaSparkSessionExtension,${classOf[SieveExtensions].getName}")
      .set("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
      .set("spark.databricks.delta.snapshotPartitions", "1")
}
