// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.time.{LocalDate, LocalDateTime}
import java.time.ZoneOffset.UTC

import org.apache.parquet.column.Encoding
import org.apache.parquet.column.statistics.Statistics
import org.apache.parquet.hadoop.metadata._
import org.apache.parquet.schema.{LogicalTypeAnnotation, MessageType, PrimitiveType, Types}
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.{
  BINARY,
  FIXED_LEN_BYTE_ARRAY,
  INT32
}

import org.apache.spark.sql.functions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.keyset.KeyRange

/** Which bounds in footers are understood, by the type of the column and as what it is stored. */
class FooterTypesSuite extends FootersTest {
  import testImplicits._

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

  private def skipping(name: String, column: org.apache.spark.sql.Column, skipped: Int)(
      keys: => ScanKeys): Unit =
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
}
