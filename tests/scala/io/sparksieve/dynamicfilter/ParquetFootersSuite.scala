// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.io.File
import java.nio.file.{Files, Paths}
import java.time.{LocalDate, LocalDateTime}
import java.time.ZoneOffset.UTC

import org.apache.hadoop.fs.Path
import org.apache.parquet.column.Encoding
import org.apache.parquet.column.statistics.Statistics
import org.apache.parquet.hadoop.ParquetInputFormat
import org.apache.parquet.hadoop.metadata._
import org.apache.parquet.schema.{LogicalTypeAnnotation, MessageType, PrimitiveType, Types}
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.{
  BINARY,
  FIXED_LEN_BYTE_ARRAY,
  INT32
}

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.exec.DynamicKeys
import io.sparksieve.keyset.KeyRange
import io.sparksieve.scan.{FileTest, FooterColumn, ParquetFooters}

class ParquetFootersSuite extends ScanTest {
  import testImplicits._

  /**
   * Runs `body` with `df` in files; by default ten files of one row group of 100 rows, in the order
   * of id. Readers read a row group as a whole or not at all.
   */
  private def withFiles(df: => DataFrame = spark.range(0, 1000, 1, 10).toDF())(
      body: File => Unit): Unit =
    withTempPath { dir =>
      df.write.parquet(dir.getPath)
      // Readers skip no pages then, and look up no values in dictionaries.
      withSQLConf(
        ParquetInputFormat.COLUMN_INDEX_FILTERING_ENABLED -> "false",
        ParquetInputFormat.DICTIONARY_FILTERING_ENABLED -> "false")(withFooters(body(dir)))
    }

  private def parts(dir: File): Seq[File] =
    dir.listFiles.filter(_.getName.endsWith(".parquet")).sortBy(_.getName).toSeq

  /** The range of the column's values in each row group. */
  private def ranges(dir: File, column: FooterColumn): Seq[KeyRange] = {
    val conf = spark.sessionState.newHadoopConf()
    val files = parts(dir).map(f => new Path(f.getPath))
    val found = files.map(f => f.getFileSystem(conf).getFileStatus(f))
    ParquetFooters.map(found, conf, threads = 1)(column.ranges).flatten.flatten
  }

  private def isId(ids: Long*)(row: Row) = ids.contains(row.getLong(0))

  private def read(dir: File) = spark.read.parquet(dir.getPath)

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
      val conf = spark.sessionState.newHadoopConf()
      val files = parts(dir).map(f => new Path(f.getPath))
      val found = files.map(f => f.getFileSystem(conf).getFileStatus(f))
      val answers = ParquetFooters.map(found, conf, threads = 2) { footer =>
        if (footer.getBlocks.get(0).getRowCount == 100) throw new OutOfMemoryError("so it says")
      }
      assert(answers == found.map(_ => None))
    }
  }

  test("decimals of another scale than the table's are not tested by their footers") {
    withFiles(spark.range(0, 10, 1, 1).select($"id".cast("decimal(9,2)").as("k"))) { dir =>
      def of(scale: Int) =
        new FooterColumn(StructField("k", DecimalType(12, scale)), caseSensitive = true)
      assert(ranges(dir, of(scale = 2)) == Seq(KeyRange(0, 900)))
      assert(ranges(dir, of(scale = 4)) == Seq(FooterColumn.All))
      val narrow = new FooterColumn(StructField("k", DecimalType(8, 2)), caseSensitive = true)
      assert(ranges(dir, narrow) == Seq(FooterColumn.All))
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

  private def skipping(name: String, column: org.apache.spark.sql.Column, skipped: Int)(
      keys: => DynamicKeys): Unit =
    test(s"footers and a column of type $name") {
      // Spark 3.5 refuses to write old dates unless a rebase mode is set.
      withSQLConf("spark.sql.parquet.datetimeRebaseModeInWrite" -> "CORRECTED") {
        withFiles(spark.range(0, 1000, 1, 10).select($"id", column.as("k"))) { dir =>
          val result = checked(read(dir), "k" -> keys)(isId(5))
          assert(result.metric("filesSkipped") == skipped)
        }
      }
    }

  private val micros = 1000000L
  private val at = 1000000000L

  private def of(dataType: DataType)(value: Any) = keys(dataType, keySet(dataType, value))

  skipping("INT", $"id".cast("int"), 9)(longs(5L))
  skipping("SMALLINT", $"id".cast("smallint"), 9)(longs(5L))
  skipping("DATE", date_add(lit("2000-01-01").cast("date"), $"id".cast("int")), 9)(
    of(DateType)(10957 + 5))
  skipping("DATE before 1901", date_add(lit("1000-01-01").cast("date"), $"id".cast("int")), 0)(
    of(DateType)(LocalDate.of(1000, 1, 6).toEpochDay.toInt))
  skipping("DECIMAL(9, 2)", $"id".cast("decimal(9,2)"), 9)(of(DecimalType(9, 2))(Decimal("5.00")))
  skipping("DECIMAL(30, 2)", $"id".cast("decimal(30,2)"), 9)(
    of(DecimalType(30, 2))(Decimal(BigDecimal("5.00"), 30, 2)))
  skipping("DECIMAL(38, 0) below 0", (-$"id").cast("decimal(38,0)"), 9)(
    of(DecimalType(38, 0))(Decimal(BigDecimal(-5), 38, 0)))
  skipping("STRING", format_string("%05d", $"id"), 9)(
    of(StringType)(UTF8String.fromString("00005")))
  skipping("STRING, not valid in UTF-8", expr("CAST(unhex(hex(id + 16715776)) AS STRING)"), 9)(
    of(StringType)(UTF8String.fromBytes(Array(0xff, 0x10, 0x05).map(_.toByte))))
  skipping("BINARY", expr("unhex(hex(id + 16715776))"), 9)(
    of(BinaryType)(Array(0xff, 0x10, 0x05).map(_.toByte)))
  skipping("DOUBLE", $"id".cast("double"), 0)(of(DoubleType)(5.0))
  skipping("TIMESTAMP_NTZ", (lit(at) + $"id").cast("timestamp").cast(TimestampNTZType), 9)(
    of(TimestampNTZType)(LocalDateTime.of(2001, 9, 8, 18, 46, 45).toEpochSecond(UTC) * micros))

  test("bounds of strings that their writer has shortened") {
    val strings = spark.range(0, 1000, 1, 10).select($"id", format_string("%05d", $"id").as("k"))
    withTempPath { dir =>
      strings.write.option("parquet.statistics.truncate.length", "3").parquet(dir.getPath)
      withFooters {
        def read(id: Long) =
          checked(
            spark.read.parquet(dir.getPath),
            "k" -> of(StringType)(UTF8String.fromString(f"$id%05d")))(isId(id))
        // The bounds of the first file are "000" and "001".
        Seq(0L, 99L, 100L, 999L).foreach(id => assert(read(id).metric("filesSkipped") == 9))
      }
    }
  }

  test("keys held as bytes: each value of many, and ranges of more") {
    val strings = spark.range(0, 1000, 1, 10).select($"id", format_string("%05d", $"id").as("k"))
    def of(ids: Seq[Int]) =
      keys(StringType, keySet(StringType, ids.map(id => UTF8String.fromString(f"$id%05d")): _*))
    withFiles(strings) { dir =>
      // One key in the first file, no key in the nine others, and many keys behind the last.
      val many = 5 +: (2000 until 3000)
      assert(checked(read(dir), "k" -> of(many))(isId(5)).metric("filesSkipped") == 9)
      // The greatest value of the first file and the least of the last.
      assert(checked(read(dir), "k" -> of(Seq(99, 900)))(isId(99, 900)).metric("filesSkipped") == 8)
      val more = 5 +: (2000 until 20000)
      assert(checked(read(dir), "k" -> of(more))(isId(5)).metric("filesSkipped") == 9)
    }
  }

  test("bounds that contradict each other, or that say nothing, bound nothing") {
    def bounds(column: PrimitiveType, min: Array[Byte], max: Array[Byte]) = {
      val statistics: Statistics[_] = Statistics
        .getBuilderForReading(column)
        .withMin(min)
        .withMax(max)
        .withNumNulls(0)
        .build()
      val block = new BlockMetaData()
      block.addColumn(
        ColumnChunkMetaData.get(
          ColumnPath.get("k"),
          column,
          CompressionCodecName.UNCOMPRESSED,
          null,
          java.util.Collections.emptySet[Encoding](),
          statistics,
          0,
          0,
          9,
          99,
          99))
      val file = new FileMetaData(
        new MessageType("file", column),
        java.util.Collections.emptyMap[String, String](),
        "test")
      new ParquetMetadata(file, java.util.Collections.singletonList(block))
    }
    def holds(dataType: DataType, key: Any)(footer: ParquetMetadata) =
      FileTest(StructField("k", dataType), keySet(dataType, key), caseSensitive = true)
        .map(_.holds(footer))
    val strings =
      Types.optional(BINARY).as(LogicalTypeAnnotation.stringType()).named("k")
    val m = holds(StringType, UTF8String.fromString("m"))(_)
    assert(m(bounds(strings, "a".getBytes, "z".getBytes)).contains(Seq(true)))
    assert(m(bounds(strings, "a".getBytes, "b".getBytes)).contains(Seq(false)))
    assert(m(bounds(strings, "z".getBytes, "x".getBytes)).contains(Seq(true)))
    val ints = Types.optional(INT32).named("k")
    val five = holds(IntegerType, 5)(_)
    assert(five(bounds(ints, Array(1, 0, 0, 0), Array(9, 0, 0, 0))).contains(Seq(true)))
    assert(five(bounds(ints, Array(6, 0, 0, 0), Array(9, 0, 0, 0))).contains(Seq(false)))
    assert(five(bounds(ints, Array(9, 0, 0, 0), Array(6, 0, 0, 0))).contains(Seq(true)))
    // A shortened number is another number.
    val decimals = Types
      .optional(FIXED_LEN_BYTE_ARRAY)
      .length(3)
      .as(LogicalTypeAnnotation.decimalType(2, 6))
      .named("k")
    val seven = holds(DecimalType(20, 2), Decimal("0.07"))(_)
    assert(seven(bounds(decimals, Array(0, 0, 1), Array(0, 0, 9))).contains(Seq(true)))
    assert(seven(bounds(decimals, Array(0, 0, 1), Array(0, 0, 6))).contains(Seq(false)))
    assert(seven(bounds(decimals, Array(0, 0, 1), Array(0, 6))).contains(Seq(true)))
    val otherScale =
      Types.optional(BINARY).as(LogicalTypeAnnotation.decimalType(3, 30)).named("k")
    val decimal = DecimalType(30, 2)
    val wide = holds(decimal, Decimal(BigDecimal("5.00"), 30, 2))(_)
    assert(wide(bounds(otherScale, Array(1), Array(2))).contains(Seq(true)))
  }

  Seq("TIMESTAMP_MICROS" -> 9, "TIMESTAMP_MILLIS" -> 9, "INT96" -> 0).foreach {
    case (format, skipped) =>
      test(s"footers and timestamps as $format") {
        withSQLConf(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> format) {
          val times = (lit(at) + $"id").cast("timestamp")
          withFiles(spark.range(0, 1000, 1, 10).select($"id", times.as("k"))) { dir =>
            val result =
              checked(read(dir), "k" -> of(TimestampType)((at + 5) * micros))(isId(5))
            assert(result.metric("filesSkipped") == skipped)
          }
        }
      }
  }

  test("files in the calendar of before Spark 3 are read") {
    withSQLConf("spark.sql.parquet.datetimeRebaseModeInWrite" -> "LEGACY") {
      val days = date_add(lit("2000-01-01").cast("date"), $"id".cast("int"))
      withFiles(spark.range(0, 1000, 1, 10).select($"id", days.as("k"))) { dir =>
        val result = checked(read(dir), "k" -> of(DateType)(10957 + 5))(isId(5))
        assert(result.metric("footersRead") == 10 && result.metric("filesSkipped") == 0)
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
