// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.io.File
import java.nio.file.{Files, Paths}

import org.apache.spark.sql.Row
import org.apache.spark.sql.functions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.sparksieve.conf.SieveConf
import io.sparksieve.keyset.KeyRange

/** Files and row groups that are skipped by their footers. Types: [[FooterTypesSuite]]. */
class ParquetFootersSuite extends FootersTest {
  import testImplicits._

  test("files whose footers rule them out are skipped") {
    withFiles() { dir =>
      val result = checked(read(dir), "id" -> longs(5L, 555L))(isId(5, 555))
      assert(result.rows.size == 200)
      assert(result.metric("filesBefore") == 10 && result.metric("filesSkipped") == 8)
      assert(result.metric("footersRead") == 10 && result.metric("rowGroupsSkipped") == 8)
      assert(result.visible("numFiles") == 2 && result.visible("numOutputRows") == 200)
    }
  }

  test("the least and the greatest value of a file are in it") {
    withFiles() { dir =>
      val result = checked(read(dir), "id" -> longs(99L, 900L))(isId(99, 900))
      assert(result.metric("filesSkipped") == 8)
    }
  }

  test("keys in a Bloom filter: files and row groups outside of their ranges are skipped") {
    withFiles() { dir =>
      val result = checked(read(dir), "id" -> manyLongs(99L, 400L, 900L))(isId(99, 400, 900))
      assert(result.metric("filesSkipped") == 7 && result.metric("rowGroupsSkipped") == 7)
      val between = checked(read(dir), "id" -> manyLongs(-5L, 5000L))(isId())
      assert(between.metric("filesSkipped") == 10)
    }
  }

  test("columns whose names differ by case only are not distinguished where Spark does not") {
    withSQLConf(SQLConf.CASE_SENSITIVE.key -> "true") {
      withFiles(spark.range(0, 10, 1, 1).select($"id", ($"id" + 100).as("ID"))) { dir =>
        val id = StructField("id", LongType)
        assert(ranges(dir, new FooterColumn(id, caseSensitive = true)) == Seq(KeyRange(0, 9)))
        assert(ranges(dir, new FooterColumn(id, caseSensitive = false)) == Seq(FooterColumn.All))
      }
    }
  }

  test("an error while a footer is read costs that file's answer, and not the query") {
    withFiles() { dir =>
      val answers = ofFooters(dir, threads = 2) { footer =>
        if (footer.getBlocks.get(0).getRowCount == 100) throw new OutOfMemoryError("so it says")
      }
      assert(answers == parts(dir).map(_ => None))
    }
  }

  test("keys between the values of two files rule both out") {
    withFiles(spark.range(0, 1000, 1, 10).select(($"id" * 10).as("id"))) { dir =>
      val result = scanned(read(dir), "id" -> longs(995L, 100000L))
      assert(result.rows.isEmpty && result.metric("filesSkipped") == 10)
    }
  }

  test("row groups are counted one by one") {
    withTempPath { dir =>
      spark.range(0, 20000, 1, 1).write.option("parquet.block.size", 8 * 1024).parquet(dir.getPath)
      withFooters {
        val result = checked(read(dir), "id" -> longs(5L))(isId(5))
        assert(result.metric("rowGroupsSkipped") > 3)
        assert(result.metric("filesSkipped") == 0)
      }
    }
  }

  test("keys of two columns must meet in one row group") {
    withFiles(spark.range(0, 1000, 1, 10).select($"id", ($"id" + 5000).cast("int").as("i"))) {
      dir =>
        val result = scanned(read(dir), "id" -> longs(5L, 555L), "i" -> longs(5555L, 5999L))
        assert(result.metric("filesSkipped") == 9 && result.rows.contains(Row(555L, 5555)))
    }
  }

  test("footers are left alone where there are too few or too many files") {
    withFiles() { dir =>
      Seq(
        SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "11",
        SieveConf.DYNAMIC_FILTER_FOOTER_MAX_FILES.key -> "9").foreach { limit =>
        withSQLConf(limit) {
          val result = scanned(read(dir), "id" -> longs(5L))
          assert(result.visible("numFiles") == 10 && result.metric("footersRead") == 0)
        }
      }
      withSQLConf(SieveConf.DYNAMIC_FILTER_FOOTER_THREADS.key -> "1") {
        assert(scanned(read(dir), "id" -> longs(5L)).metric("filesSkipped") == 9)
      }
    }
  }

  test("a file whose footer cannot be read is read, and fails as it does without keys") {
    withFiles() { dir =>
      val table = spark.read.schema("id BIGINT").parquet(dir.getPath)
      val corrupt = parts(dir)(7)
      Files.write(corrupt.toPath, "no Parquet at all, and long enough".getBytes)
      new File(dir, s".${corrupt.getName}.crc").delete()
      intercept[Exception](table.collect())
      intercept[Exception](scanned(table, "id" -> longs(5L)))
      withSQLConf(SQLConf.IGNORE_CORRUPT_FILES.key -> "true") {
        val tolerant = spark.read.schema("id BIGINT").parquet(dir.getPath)
        val result = checked(tolerant, "id" -> longs(5L))(isId(5))
        assert(result.metric("footersRead") == 0 && result.metric("filesSkipped") == 0)
      }
    }
  }

  test("a file that has vanished is read, and fails as it does without keys") {
    withFiles() { dir =>
      val table = spark.read.schema("id BIGINT").parquet(dir.getPath)
      table.queryExecution.sparkPlan
      Files.delete(Paths.get(parts(dir)(7).getPath))
      intercept[Exception](scanned(table, "id" -> longs(5L)))
      withSQLConf(SQLConf.IGNORE_MISSING_FILES.key -> "true") {
        val result = scanned(table, "id" -> longs(5L))
        assert(result.metric("footersRead") == 9 && result.rows.contains(Row(5L)))
      }
    }
  }

  test("row groups without a value hold no key") {
    withFiles(spark.range(0, 1000, 1, 10).select(when($"id" >= 500, $"id").as("id"))) { dir =>
      val result =
        checked(read(dir), "id" -> longs(555L))(r => !r.isNullAt(0) && r.getLong(0) == 555)
      assert(result.metric("filesSkipped") == 9)
    }
  }

  test("a file without the column is read") {
    withFiles() { dir =>
      spark.range(5).select($"id".as("other")).write.mode("append").parquet(dir.getPath)
      val table = spark.read.schema("id BIGINT").parquet(dir.getPath)
      val before = parts(dir).size - 10
      val result = scanned(table, "id" -> longs(5L))
      assert(result.metric("filesBefore") - result.metric("filesSkipped") == 1 + before)
    }
  }

  test("names are matched as Spark matches them") {
    withFiles(spark.range(0, 1000, 1, 10).select($"id".as("ID"))) { dir =>
      val table = spark.read.schema("id BIGINT").parquet(dir.getPath)
      assert(checked(table, "id" -> longs(5L))(isId(5)).metric("filesSkipped") == 9)
      withSQLConf(SQLConf.CASE_SENSITIVE.key -> "true") {
        val sensitive = spark.read.schema("id BIGINT").parquet(dir.getPath)
        assert(scanned(sensitive, "id" -> longs(5L)).metric("filesSkipped") == 0)
      }
    }
  }

  test("with field ids, columns are not looked for by name") {
    withFiles() { dir =>
      withSQLConf(
        SQLConf.PARQUET_FIELD_ID_READ_ENABLED.key -> "true",
        SQLConf.IGNORE_MISSING_PARQUET_FIELD_ID.key -> "true") {
        val id = new MetadataBuilder().putLong("parquet.field.id", 1).build()
        val schema = new StructType().add("id", LongType, nullable = true, id)
        val table = spark.read.schema(schema).parquet(dir.getPath)
        assert(scanned(table, "id" -> longs(5L)).metric("footersRead") == 0)
      }
    }
  }
}
