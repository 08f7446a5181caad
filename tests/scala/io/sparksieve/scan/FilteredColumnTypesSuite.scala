// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.sql.{Date, Timestamp}

import org.apache.spark.sql.Row
import org.apache.spark.sql.functions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.keyset.KeySet

/** What a scan of files skips by keys of each type of column. */
class FilteredColumnTypesSuite extends FilteredFileScanTest {
  import testImplicits._

  private def typed[T](name: String, dataType: DataType, values: Seq[Any])(
      column: org.apache.spark.sql.Column)(isKey: Row => Boolean)(check: Scanned => Unit): Unit =
    test(s"Parquet column of type $name") {
      // INT96 is the default, and Spark pushes down no predicates on it.
      withSQLConf(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> "TIMESTAMP_MICROS") {
        withFile("parquet", rows.select($"id", column.as("k"))) { table =>
          val set: KeySet = keySet(dataType, values: _*)
          check(checked(table, "k" -> keys(dataType, set))(isKey))
        }
      }
    }

  private def everything(result: Scanned): Unit =
    assert(result.rows.size == 20000 && result.metric("numRanges") == 0)

  private val day = date_add(lit(Date.valueOf("2000-01-01")), $"id".cast("int"))

  typed("DATE", DateType, Seq(10957 + 7))(day)(_.getDate(1) == Date.valueOf("2000-01-08"))(fewer)

  typed("old DATE", DateType, Seq(10957 + 7, -200000))(day)(
    _.getDate(1) == Date.valueOf("2000-01-08"))(everything)

  typed("TIMESTAMP", TimestampType, Seq(1000000000L * 1000000))(
    (lit(1000000000L) + $"id").cast("timestamp"))(_.getAs[Timestamp](1).getTime == 1000000000000L)(
    fewer)

  typed("TIMESTAMP_NTZ", TimestampNTZType, Seq(0L))(lit("1970-01-01").cast(TimestampNTZType))(_ =>
    true)(everything)

  // Files may hold decimals in another width than Spark reads. Sieve checks that in footers, but
  // pushes nothing into the readers.
  typed("DECIMAL(9, 2)", DecimalType(9, 2), Seq(Decimal("5.00"), Decimal("7.25")))(
    $"id".cast("decimal(9,2)"))(_.getDecimal(1).intValue == 5)(everything)

  typed("DECIMAL(30, 2)", DecimalType(30, 2), Seq(Decimal(BigDecimal("5.00"), 30, 2)))(
    $"id".cast("decimal(30,2)"))(_.getDecimal(1).intValue == 5)(everything)

  typed("STRING", StringType, Seq(UTF8String.fromString("00005")))(
    lpad($"id".cast("string"), 5, "0"))(_.getString(1) == "00005")(fewer)

  typed("STRING, many keys", StringType, (100 until 200).map(i => UTF8String.fromString(s"00$i")))(
    lpad($"id".cast("string"), 5, "0"))(r => r.getLong(0) >= 100 && r.getLong(0) < 200)(fewer)

  private val inRuns = (100 until 130) ++ (9000 until 9030) ++ Seq(19000)

  private def threeRanges(result: Scanned): Unit = {
    assert(result.rows.nonEmpty && result.rows.size < 5000, result.rows.size)
    assert(result.metric("numRanges") == 3)
  }

  typed("STRING, runs of keys", StringType, inRuns.map(i => UTF8String.fromString(f"$i%05d")))(
    lpad($"id".cast("string"), 5, "0"))(r => inRuns.contains(r.getLong(0).toInt))(threeRanges)

  typed("BINARY, runs of keys", BinaryType, inRuns.map(i => f"$i%05d".getBytes))(
    lpad($"id".cast("string"), 5, "0").cast("binary"))(r => inRuns.contains(r.getLong(0).toInt))(
    threeRanges)

  // U+FFFD is what becomes of the byte in a Java string.
  typed(
    "STRING, a run that ends with invalid UTF-8",
    StringType,
    inRuns.map(i => UTF8String.fromString(f"$i%05d")) :+
      UTF8String.fromBytes("00130".getBytes :+ 0xff.toByte)
  )(lpad($"id".cast("string"), 5, "0"))(r => inRuns.contains(r.getLong(0).toInt)) { result =>
    assert(result.rows.nonEmpty && result.rows.size < 20000, result.rows.size)
    assert(result.metric("numRanges") == 1)
  }

  test("ORC: runs of strings, and of strings that are not ASCII") {
    val text = lpad($"id".cast("string"), 5, "0")
    for ((prefix, ranges) <- Seq("k" -> 3L, "\u00e9" -> 0L))
      withFile("orc", rows.select($"id", concat(lit(prefix), text).as("k"))) { table =>
        val set = keySet(StringType, inRuns.map(i => UTF8String.fromString(f"$prefix$i%05d")): _*)
        val result = checked(table, "k" -> keys(StringType, set)) { r =>
          inRuns.contains(r.getLong(0).toInt)
        }
        assert(result.metric("numRanges") == ranges)
        assert(result.rows.size < 10000 == ranges > 0, result.rows.size)
      }
  }

  test("ORC: a file whose type cannot be compared with the keys is read whole") {
    val numbers = Seq[(DataType, DataType, Seq[Any])](
      (IntegerType, StringType, Seq("0", "600").map(UTF8String.fromString)),
      (StringType, LongType, Seq(0L, 600L)),
      (StringType, DateType, Seq(0)))
    for ((written, read, wanted) <- numbers; vectorized <- Seq("true", "false"))
      withSQLConf(SQLConf.ORC_VECTORIZED_READER_ENABLED.key -> vectorized)(withTempPath { dir =>
        rows.select($"id", $"id".cast(written).as("k")).write.orc(dir.getPath)
        val table = spark.read.schema(s"id BIGINT, k ${read.sql}").orc(dir.getPath)
        val set = keySet(read, wanted: _*)
        def readable = scala.util.Try(table.where("id >= 0").collect()).isSuccess
        if (readable) {
          val result = scanned(table.where("id >= 0"), "k" -> keys(read, set))
          assert(result.rows.size == 20000, s"$written $read")
        }
      })
  }

  typed("BINARY", BinaryType, Seq("00005".getBytes))(
    lpad($"id".cast("string"), 5, "0").cast("binary"))(r =>
    new String(r.getAs[Array[Byte]](1)) == "00005")(fewer)

  typed("SMALLINT", ShortType, Seq(5.toShort))($"id".cast("smallint"))(_.getShort(1) == 5)(
    everything)

  typed("TINYINT", ByteType, Seq(5.toByte))(($"id" / 200).cast("tinyint"))(_.getByte(1) == 5)(
    everything)

  typed("DOUBLE", DoubleType, Seq(0.0))(when($"id" === 3, lit(-0.0)).otherwise($"id" + 1.5))(
    _.getDouble(1) == 0.0)(everything)
}
