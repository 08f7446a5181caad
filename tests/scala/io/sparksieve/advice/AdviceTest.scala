// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import java.io.File

import org.apache.spark.sql.DataFrame

import io.sparksieve.SieveTest
import io.sparksieve.advice.layout.{Layout, Shares}
import io.sparksieve.advice.workload.{QueryReads, ReadsOf}
import io.sparksieve.compat.SparkCompat

/** Advice about queries, and tables to ask about. */
trait AdviceTest extends SieveTest {

  protected def advised(queries: DataFrame*): Advice = {
    val reads = queries.map { query =>
      val planned = SparkCompat.plan(spark, query.queryExecution.analyzed)
      val found = ReadsOf.planned(planned)
      QueryReads(ReadsOf.text(found), found, 0, None)
    }
    new Adviser(spark)(Advice.Scope.Query, reads)
  }

  /** The advice about the only table of the queries. */
  protected def adviceOf(queries: DataFrame*): TableAdvice = {
    val tables = advised(queries: _*).tables
    assert(tables.size == 1, tables)
    tables.head
  }

  /** 200,000 rows: `k` and `u` in random order, `d` with 20 values, `s` a text, `t` as written. */
  protected def events: DataFrame = spark
    .range(0, 200000, 1, 8)
    .selectExpr(
      "id AS t",
      "CAST(pmod(hash(id), 10000) AS INT) AS k",
      "pmod(hash(id, 1), 1000000) AS u",
      "CAST(pmod(hash(id, 2), 20) AS INT) AS d",
      "concat('s', lpad(CAST(pmod(hash(id, 3), 5000) AS STRING), 5, '0')) AS s",
      "CAST(pmod(hash(id, 4), 1000) AS DOUBLE) / 7 AS x"
    )

  /** Writes `rows` as one Parquet file for each partition, and runs `body` with their path. */
  protected def withParquet(rows: DataFrame, by: String*)(body: String => Unit): Unit =
    withTempDir { dir =>
      val path = new File(dir, "data").getCanonicalPath
      rows.write.partitionBy(by: _*).parquet(path)
      body(path)
    }

  /** What the queries read of the files that the statement of a layout writes. */
  protected def rewritten(path: String, layout: LayoutAdvice, by: Seq[String] = Nil)(
      query: DataFrame => DataFrame): Shares = inTempDir { dir =>
    val columns = (by ++ layout.layout.columns).map(org.apache.spark.sql.functions.col)
    val rows = spark.read.parquet(path)
    val isPartition = layout.layout.kind == Layout.Kind.Partition
    val files = raw"repartitionByRange\((\d+)".r
    val distributed =
      if (isPartition) rows.repartition(columns: _*)
      else {
        val n = files.findFirstMatchIn(layout.statement.text).get.group(1).toInt
        rows.repartitionByRange(n, columns: _*)
      }
    val block = "parquet.block.size\", (\\d+)".r
    val option = block.findFirstMatchIn(layout.statement.text).map(_.group(1))
    val directories = if (isPartition) by ++ layout.layout.columns else by
    val writer = distributed.sortWithinPartitions(columns: _*).write.partitionBy(directories: _*)
    option.fold(writer)(writer.option("parquet.block.size", _)).parquet(s"$dir/new")
    adviceOf(query(spark.read.parquet(s"$dir/new"))).today.get
  }
}
