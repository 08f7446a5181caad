// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.DataFrame

import io.sparksieve.dynamicfilter.ScanTest

/** Files of many row groups, in the order of their rows. */
private[scan] trait FilteredFileScanTest extends ScanTest {
  import testImplicits._

  /** 20,000 rows in the order of id; [[write]] puts a few hundred of them in each row group. */
  protected def rows: DataFrame =
    spark.range(0, 20000, 1, 1).select($"id", ($"id" % 7).as("v"), $"id".cast("int").as("i"))

  protected def write(df: DataFrame, format: String, path: String): Unit =
    df.write
      .option("parquet.block.size", 8 * 1024)
      .option("parquet.page.size", 1024)
      .option("parquet.enable.dictionary", "false")
      .option("orc.row.index.stride", 1000)
      .format(format)
      .save(path)

  protected def withRows(format: String)(body: DataFrame => Unit): Unit =
    withFile(format, rows)(body)

  protected def withFile(format: String, df: DataFrame)(body: DataFrame => Unit): Unit =
    withTempPath { dir =>
      write(df, format, dir.getPath)
      body(spark.read.format(format).schema(df.schema).load(dir.getPath))
    }

  protected def fewer(result: Scanned): Unit =
    assert(result.rows.nonEmpty && result.rows.size < 10000, result.rows.size)
}
