// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.FileSourceMetadataAttribute
import org.apache.spark.sql.execution._
import org.apache.spark.sql.functions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** Scans of files with keys: which rows, files and partitions are read, by format and mode. */
class FilteredFileScanSuite extends FilteredFileScanTest {
  import testImplicits._

  private def hasKey(keys: Set[Long])(row: Row) = keys(row.getAs[Long]("id"))

  test("Parquet: fewer rows are read, and the visible scan counts them") {
    withRows("parquet") { table =>
      for {
        vectorized <- Seq("true", "false")
        codegen <- Seq("true", "false")
      } withSQLConf(
        SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized,
        SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> codegen) {
        val wanted = Set(5L, 9000L, 9001L)
        val result = checked(table, "id" -> longs(wanted.toSeq: _*))(hasKey(wanted))
        assert(result.rows.nonEmpty && result.rows.size < 5000, result.rows.size)
        assert(result.visible("numOutputRows") == result.rows.size)
        assert(result.visible("numFiles") == 1)
        assert(result.metric("numRanges") == 3)
      }
    }
  }

  test("many keys become ranges, and rows between them are not read") {
    withRows("parquet") { table =>
      val wanted = ((1000L until 3000L by 2) ++ (15000L until 15500L)).toSet
      val result = checked(table, "id" -> longs(wanted.toSeq: _*))(hasKey(wanted))
      assert(result.rows.size < 8000, result.rows.size)
      assert(result.metric("numRanges") == 2)
    }
  }

  test("ORC: fewer rows are read") {
    withRows("orc") { table =>
      for {
        vectorized <- Seq("true", "false")
        wanted <- Seq(Set(5L, 9000L), ((1000L until 1400L by 2) ++ (15000L until 15500L)).toSet)
      } withSQLConf(SQLConf.ORC_VECTORIZED_READER_ENABLED.key -> vectorized) {
        val result = checked(table, "id" -> longs(wanted.toSeq: _*))(hasKey(wanted))
        assert(result.rows.nonEmpty && result.rows.size < 8000, result.rows.size)
        assert(result.visible("numOutputRows") == result.rows.size)
      }
    }
  }

  test("with pushdown off, readers get no filters") {
    withSQLConf(
      SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> "false",
      SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key -> "false") {
      Seq("parquet", "orc").foreach { format =>
        withRows(format) { table =>
          val result = checked(table, "id" -> longs(5L))(hasKey(Set(5L)))
          assert(result.rows.size == 20000 && result.metric("numRanges") == 0)
        }
      }
    }
  }

  test("CSV and JSON read every row") {
    Seq("csv", "json").foreach { format =>
      withRows(format) { table =>
        val result = checked(table, "id" -> longs(5L))(hasKey(Set(5L)))
        assert(result.rows.size == 20000)
        assert(result.metric("numRanges") == 0 && result.metric("filesSkipped") == 0)
      }
    }
  }

  test("no keys: no file is read") {
    Seq("parquet", "orc", "csv").foreach { format =>
      withRows(format) { table =>
        val result = scanned(table, "id" -> longs())
        assert(result.rows.isEmpty)
        assert(result.metric("filesBefore") == 1 && result.metric("filesSkipped") == 1)
        assert(result.visible("numFiles") == 0 && result.visible("numOutputRows") == 0)
      }
    }
  }

  test("keys that collecting disabled filter nothing") {
    withRows("parquet") { table =>
      val result = scanned(table, "id" -> gaveUp(LongType))
      assert(result.rows.size == 20000 && result.metric("numRanges") == 0)
      val both = checked(table, "id" -> longs(5L), "v" -> gaveUp(LongType))(hasKey(Set(5L)))
      assert(both.rows.size < 5000)
    }
  }

  test("an INT column with BIGINT keys") {
    withRows("parquet") { table =>
      val wanted = Seq(5L, 1L << 33, (1L << 32) + 9000, Long.MinValue)
      val result = checked(table, "i" -> longs(wanted: _*))(_.getAs[Int]("i") == 5)
      assert(result.rows.nonEmpty && result.rows.size < 5000)
      val outside = scanned(table, "i" -> longs(1L << 33))
      assert(outside.metric("numRanges") == 0)
    }
  }

  test("keys of two columns") {
    withRows("parquet") { table =>
      val result = checked(table, "id" -> longs(5L, 9000L), "i" -> longs(9000L))(r =>
        r.getAs[Long]("id") == 9000)
      assert(result.rows.nonEmpty && result.rows.size < 3000)
      assert(!result.rows.exists(_.getAs[Long]("id") == 5))
    }
  }

  test("partitions without a key are not read, whatever the format") {
    Seq("parquet", "orc", "csv", "json").foreach { format =>
      withTempPath { dir =>
        rows.write.partitionBy("v").format(format).save(dir.getPath)
        val table = spark.read.format(format).schema(rows.schema).load(dir.getPath)
        val result = checked(table, "v" -> longs(2L, 5L, 99L))(r => Set(2L, 5L)(r.getAs[Long]("v")))
        assert(result.rows.size < 6000)
        assert(result.metric("filesBefore") == 7 && result.metric("filesSkipped") == 5)
        assert(result.visible("numPartitions") == 2 && result.visible("numFiles") == 2)
      }
    }
  }

  test("partition values: NULL, strings, dates, and floats with both zeros") {
    withTempPath { dir =>
      val table = Seq[(Int, java.lang.Double, String)](
        (1, -0.0, "a"),
        (2, 0.0, "b"),
        (3, null, null),
        (4, Double.NaN, "d")).toDF("id", "d", "s")
      table.write.partitionBy("d", "s").parquet(dir.getPath)
      val read = spark.read.schema("id INT, d DOUBLE, s STRING").parquet(dir.getPath)
      val zero = scanned(read, "d" -> keys(DoubleType, keySet(DoubleType, 0.0)))
      assert(zero.rows.map(_.getInt(0)).toSet == Set(1, 2))
      val nan = scanned(read, "d" -> keys(DoubleType, keySet(DoubleType, Double.NaN)))
      assert(nan.rows.map(_.getInt(0)).toSet == Set(4))
      val strings = Seq("b", "d", "x").map(UTF8String.fromString)
      val s = scanned(read, "s" -> keys(StringType, keySet(StringType, strings: _*)))
      assert(s.rows.map(_.getInt(0)).toSet == Set(2, 4))
    }
  }

  test("a bucketed scan keeps its partitions") {
    withTable("buckets") {
      rows.write.bucketBy(8, "id").sortBy("id").saveAsTable("buckets")
      val table = spark.table("buckets")
      val partitions = scanned(table, "id" -> longs()).scan
      assert(partitions.child.asInstanceOf[FileSourceScanExec].bucketedScan)
      assert(partitions.executeColumnar().getNumPartitions == 8)
      assert(partitions.outputPartitioning == partitions.child.outputPartitioning)
      val result = checked(table, "id" -> longs(5L))(hasKey(Set(5L)))
      assert(result.scan.executeColumnar().getNumPartitions == 8)
      withFooters {
        val wanted = Set(19999L)
        checked(table, "id" -> longs(wanted.toSeq: _*))(hasKey(wanted))
      }
    }
  }

  test("Parquet: the query's own test of a part of a string still looks at dictionaries") {
    withTempPath { dir =>
      for ((text, n) <- Seq("abc", "foo", "bar").zipWithIndex)
        spark
          .range(n * 100L, n * 100L + 40, 1, 1)
          .selectExpr("id", s"concat('$text', id % 3) AS t")
          .write
          .mode("append")
          .parquet(dir.getPath)
      val table = spark.read.parquet(dir.getPath)
      for (pattern <- Seq("%abc%", "%c1", "ab%")) {
        val result = scanned(table.where($"t".like(pattern)), "id" -> longs((0L until 300L): _*))
        assert(result.visible("numOutputRows") == 40 && result.metric("numRanges") == 1, pattern)
      }
    }
  }

  test("NULL in the column") {
    withFile("parquet", rows.select(when($"id" % 2 === 0, $"id").as("id"))) { table =>
      val result = checked(table, "id" -> longs(4L))(r => !r.isNullAt(0) && r.getLong(0) == 4)
      fewer(result)
    }
  }

  test("a column with a default that old files do not have is left alone") {
    withTable("defaults") {
      sql("CREATE TABLE defaults (id BIGINT) USING parquet")
      sql("INSERT INTO defaults VALUES (1), (2)")
      sql("ALTER TABLE defaults ADD COLUMN d BIGINT DEFAULT 42")
      val result = scanned(spark.table("defaults"), "d" -> longs(42L))
      assert(result.rows.toSet == Set(Row(1L, 42L), Row(2L, 42L)))
      assert(result.metric("numRanges") == 0)
    }
  }

  test("columns of file metadata are left alone") {
    // A data column has the same name, and must not be mistaken for the metadata column.
    withFile("parquet", rows.withColumn("file_size", $"id")) { table =>
      val query = table.select($"id", $"_metadata.file_size".as("s"))
      val result = checked(query, "id" -> longs(5L))(hasKey(Set(5L)))
      fewer(result)
      val attr = result.scan.child.output.collectFirst {
        case FileSourceMetadataAttribute(a) if a.name == "file_size" => a
      }.get
      assert(ScanColumn.of(result.scan.child, attr, spark.sessionState.conf).isEmpty)
    }
  }

  test("the columnar scan is read by generated code, and shows its keys") {
    withRows("parquet") { table =>
      val plan =
        table.where("v = 3").queryExecution.sparkPlan.transformUp { case scan: FileSourceScanExec =>
          DynamicScanExec(Seq(ScanFilter(scan.output.head, longs(5L))), scan)
        }
      val ready = CollapseCodegenStages()(ApplyColumnarRulesAndInsertTransitions(Nil, false)(plan))
      val stages = ready.collect { case w: WholeStageCodegenExec => w }
      assert(stages.exists(_.exists(_.isInstanceOf[ColumnarToRowExec])), ready)
      assert(ready.treeString.contains("DynamicScan by keys of id#"), ready.treeString)
      assert(ready.treeString.contains("FileScan parquet"), ready.treeString)
    }
  }

  test("scans with other keys are not the same, with the same keys they are") {
    withRows("parquet") { table =>
      val scan = table.queryExecution.sparkPlan.collectFirst { case s: FileSourceScanExec => s }.get
      def dynamic(k: ScanKeys) = DynamicScanExec(Seq(ScanFilter(scan.output.head, k)), scan)
      val one = longs(5L)
      assert(dynamic(one).sameResult(dynamic(one)))
      assert(!dynamic(one).sameResult(dynamic(longs(6L))))
      assert(!dynamic(one).sameResult(scan))
    }
  }
}
