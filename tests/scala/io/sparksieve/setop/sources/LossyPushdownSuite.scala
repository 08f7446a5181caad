// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File
import java.nio.{ByteBuffer, ByteOrder}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.util.TimeZone

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.Row
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

/**
 * Sources that lose rows if a filter is pushed down: they skip row groups by statistics that ignore
 * NaN, by dictionaries that contain the other zero, or by literals that are rounded or ordered
 * differently. Each query returns the same rows as without Sieve, lossy or not.
 */
class LossyPushdownSuite extends LossyPushdownTest {

  for (format <- Seq("parquet", "orc", "csv")) {
    test(s"$format: NaN and zeros") {
      withView(writeDoubles(format), spark.read.schema("x DOUBLE, k INT").format(format).load(_)) {
        checked(doubles)
      }
    }
  }

  test("parquet: bounds that leave NaN out, as other writers have them") {
    withView(
      path => {
        sql("SELECT * FROM VALUES (1.0D, 1), (2.5D, 2), (3.0D, 3), (5.0D, 4) AS t(x, k)")
          .coalesce(1)
          .write
          .option("parquet.enable.dictionary", "false")
          .option("compression", "uncompressed")
          .parquet(path)
        val file = new File(path).listFiles.filter(_.getName.endsWith(".parquet")).head
        val bytes = Files.readAllBytes(file.toPath)
        def little(v: Double) =
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(v).array
        val at = bytes.indexOfSlice(little(2.5).toSeq)
        little(Double.NaN).copyToArray(bytes, at)
        Files.write(file.toPath, bytes)
        new File(path, s".${file.getName}.crc").delete()
      },
      spark.read.parquet(_)
    ) {
      checked(doubles)
    }
  }

  test("parquet: columns that are found by their ids, under each other's names") {
    def named(name: String, id: Long) =
      StructField(
        name,
        IntegerType,
        nullable = true,
        new MetadataBuilder().putLong("parquet.field.id", id).build())
    withSQLConf(SQLConf.PARQUET_FIELD_ID_READ_ENABLED.key -> "true") {
      withView(
        path =>
          for (n <- 0 to 3) {
            val rows = (1 to 9).map(i => Row(i + 10 * n, 1000 - i))
            spark
              .createDataFrame(rows.asJava, StructType(Seq(named("x", 1), named("k", 2))))
              .coalesce(1)
              .write
              .mode("append")
              .parquet(path)
          },
        spark.read.schema(StructType(Seq(named("k", 1), named("x", 2)))).parquet(_)
      ) {
        checked(Seq("k > 20", "x > 995", "x < 40", "k <= 5"))
      }
    }
  }

  test("orc: bytes that are no characters, beside constants that are no ASCII") {
    withView(
      path =>
        for ((bytes, k) <- Seq("C0" -> 1, "FF" -> 2, "61" -> 3, "C3A9" -> 4, "EDA080" -> 5)) {
          sql(s"SELECT CAST(X'$bytes' AS STRING) AS x, $k AS k")
            .coalesce(1)
            .write
            .mode("append")
            .orc(path)
        },
      spark.read.orc(_)
    ) {
      checked(Seq("x >= 'é'", "x < 'é'", "x = '\uFFFD'", "x > 'a'"))
    }
  }

  for (format <- Seq("parquet", "orc", "csv")) {
    test(s"$format: a day that the JVM's time zone has skipped") {
      val zone = TimeZone.getDefault
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"))
      try
        withView(
          path =>
            for ((day, k) <- Seq("2011-12-29" -> 1, "2011-12-30" -> 2, "2011-12-31" -> 3)) {
              sql(s"SELECT DATE'$day' AS x, $k AS k")
                .coalesce(1)
                .write
                .mode("append")
                .format(format)
                .save(path)
            },
          spark.read.schema("x DATE, k INT").format(format).load(_)
        ) {
          checked(
            Seq(
              "x < DATE'2011-12-30'",
              "x <> DATE'2011-12-30'",
              "x <= DATE'2011-12-29'",
              "x IN (DATE'2011-12-30', DATE'2011-12-29')"))
        }
      finally TimeZone.setDefault(zone)
    }
  }

  private val times = Seq(
    "x < TIMESTAMP '2020-01-01 00:00:00.001500'",
    "x <> TIMESTAMP '2020-01-01 00:00:00.001500'",
    "x > TIMESTAMP '2020-01-01 00:00:00.001500'",
    "x = TIMESTAMP '2020-01-01 00:00:00.001'",
    "x <= TIMESTAMP '2020-01-01 00:00:00.000999'"
  )

  for (unit <- Seq("TIMESTAMP_MILLIS", "TIMESTAMP_MICROS", "INT96")) {
    test(s"parquet: $unit") {
      withView(
        path =>
          withSQLConf(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> unit) {
            for (n <- 1 to 4) {
              sql(s"SELECT TIMESTAMP '2020-01-01 00:00:00.00$n' AS x, $n AS k")
                .coalesce(1)
                .write
                .mode("append")
                .parquet(path)
            }
          },
        spark.read.parquet(_)
      )(checked(times))
    }
  }

  test("orc: timestamps") {
    withView(
      path =>
        for (n <- 1 to 4) {
          sql(s"SELECT TIMESTAMP '2020-01-01 00:00:00.00$n' AS x, $n AS k")
            .coalesce(1)
            .write
            .mode("append")
            .orc(path)
        },
      spark.read.orc(_))(checked(times))
  }

  test("parquet: integers of files read as narrower ones") {
    withView(
      path =>
        for (n <- Seq(5, 261, 300))
          sql(s"SELECT $n AS x, $n AS k").coalesce(1).write.mode("append").parquet(path),
      spark.read.schema("x TINYINT, k INT").parquet(_)
    )(checked(Seq("x = 5Y", "x < 6Y", "x <> 44Y")))
  }

  test("orc: strings whose order is another in UTF-16") {
    withView(
      path =>
        for ((s, n) <- Seq("\uff5e" -> 1, "\ud83d\ude00" -> 2, "a" -> 3))
          sql(s"SELECT '$s' AS x, $n AS k").coalesce(1).write.mode("append").orc(path),
      spark.read.orc(_)
    )(checked(Seq("x > '\uff5e'", "x <= '\uff5e'", "x < '\ud83d\ude00'")))
  }

  for (format <- Seq("parquet", "orc", "csv")) {
    test(s"$format: literals that are not valid UTF-8") {
      withView(
        path =>
          for (n <- 1 to 3)
            sql(s"SELECT cast(X'41F$n' AS STRING) AS x, $n AS k")
              .coalesce(1)
              .write
              .mode("append")
              .format(format)
              .save(path),
        spark.read.schema("x STRING, k INT").format(format).load(_)
      )(
        checked(
          Seq(
            "x = cast(X'41F2' AS STRING)",
            "x <> cast(X'41F2' AS STRING)",
            "x > cast(X'41F1' AS STRING)")))
    }
  }

  test("json: a name twice in one object") {
    withView(
      path => {
        Files.write(
          new File(path).toPath,
          """{"x":1,"k":1}
            |{"x":1,"x":2,"k":2}
            |{"x":2,"x":1,"k":3}
            |{"x":null,"x":1,"k":4}
            |{"x":3,"k":5}
            |{"x":null,"x":7,"k":7}
            |{"x":4,"k":6""".stripMargin.getBytes(UTF_8)
        )
      },
      spark.read.schema("x INT, k INT").json(_)
    ) {
      checked(Seq("x = 1", "x > 1", "x <=> 2"))
      // Spark pushes `x IS NOT NULL` to the right side, which loses the row with 7.
      assertSame(
        Seq(
          "SELECT * FROM v l LEFT ANTI JOIN v r ON l.x = r.x",
          "SELECT * FROM v l LEFT SEMI JOIN v r ON l.x = r.x",
          "SELECT * FROM v WHERE x IN (SELECT x FROM v)",
          "SELECT * FROM v l WHERE NOT EXISTS (SELECT 1 FROM v r WHERE r.x = l.x)"
        ))
    }
  }

  test("dates of the hybrid calendar") {
    withView(
      path =>
        withSQLConf("spark.sql.parquet.datetimeRebaseModeInWrite" -> "LEGACY") {
          for ((d, n) <- Seq(
              "1000-03-01" -> 1,
              "1582-10-15" -> 2,
              "2020-01-01" -> 3,
              "1500-03-01" -> 4))
            sql(s"SELECT DATE '$d' AS x, $n AS k").coalesce(1).write.mode("append").parquet(path)
        },
      spark.read.parquet(_)
    )(
      checked(
        Seq(
          "x = DATE '1000-03-01'",
          "x > DATE '1582-10-10'",
          "x <= DATE '1500-02-28'",
          "x < DATE '2020-01-01'")))
  }
}
