// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.util.TimeZone

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.TestedLine
import io.sparksieve.conf.SieveConf

/** Keys and files for which a source's filter compares values in another way than Spark. */
class ExactPushdownSuite extends DynamicFilterTest {

  /** Joins `l`, of one row group, with `r` on `l.x = r.y`, once shuffled and once broadcast. */
  private def joined(select: String)(check: Ran => Unit = _ => ()): Unit =
    for (threshold <- Seq("-1", "10MB"))
      withConf(
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
        SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1") {
        val hint = if (threshold == "-1") "" else "/*+ BROADCAST(r) */ "
        val ran = checked(sql(s"SELECT $hint$select FROM l JOIN r ON l.x = r.y WHERE r.tag = 1"))
        assert(ran.rows.nonEmpty)
        check(ran)
      }

  private def withKeys(keys: String*)(body: => Unit): Unit = withTable("r") {
    val values = keys.map(k => s"($k, 1)") :+ s"(${keys.head}, 2)"
    sql(
      s"CREATE TABLE r USING parquet AS SELECT * FROM VALUES ${values.mkString(", ")} AS v(y, tag)")
    body
  }

  private def withRows(format: String, rows: String)(body: => Unit): Unit = withTable("l") {
    sql(s"CREATE TABLE l USING $format AS SELECT /*+ COALESCE(1) */ * FROM ($rows)")
    body
  }

  /** Runs `body` with `l` as a view with `schema` over files that were written with other types. */
  private def withFiles(format: String, rows: DataFrame, schema: String)(body: => Unit): Unit =
    withTempPath { dir =>
      rows.coalesce(1).write.format(format).save(dir.getCanonicalPath)
      spark.read
        .format(format)
        .schema(schema)
        .load(dir.getCanonicalPath)
        .createOrReplaceTempView("l")
      try body
      finally {
        spark.catalog.dropTempView("l")
        ()
      }
    }

  private def text(bytes: String) = s"CAST(X'$bytes' AS STRING)"

  test("strings that are no valid UTF-8 are not sent to readers") {
    for (format <- Seq("parquet", "orc")) {
      withRows(
        format,
        s"SELECT x, n FROM VALUES (${text("FF")}), (${text("61FF")}), ('b') AS v(x), range(50) AS t(n)") {
        withKeys(text("FF"), text("61FF"))(joined("hex(l.x), n")(r => assert(r.rows.length == 100)))
        val many = (0 until 20).map(i => text(f"FF$i%02X"))
        withKeys(text("FF") +: many: _*)(joined("hex(l.x), n")(r => assert(r.rows.length == 50)))
      }
    }
  }

  test("strings that are valid UTF-8 are sent to Parquet, wherever they are in its order") {
    withRows("parquet", "SELECT concat('z', chr(0)) AS x, 'é' AS y UNION ALL SELECT 'zürich', ''") {
      withKeys("'zürich'", s"${text("F09F9880")}") {
        joined("l.x")(r => assert(r.scans.nonEmpty && r.metric("numRanges") == 2, r.plan))
      }
    }
  }

  test("ORC compares its strings as Java does: only ASCII is sent") {
    // Ascending by bytes: U+FF5E, U+FF80, U+1F600. In the order of UTF-16, the last is the least.
    val (low, mid, high) = (text("EFBD9E"), text("EFBE80"), text("F09F9880"))
    withRows("orc", s"SELECT x, n FROM VALUES ($low), ($mid), ($high) AS v(x), range(50) AS t(n)") {
      withKeys(mid)(joined("l.x, n")(r => assert(r.metric("numRanges") == 0, r.plan)))
    }
    // Invalid UTF-8 is read from the file's statistics as U+FFFD.
    withRows("orc", s"SELECT x, n FROM VALUES (${text("80")}), ('Ā') AS v(x), range(50) AS t(n)") {
      withKeys("'Ā'")(joined("l.x, n")())
    }
    withRows("orc", "SELECT concat('s', id) AS x FROM range(1000)") {
      withKeys("'s1'", "'s999'")(joined("l.x")(r => assert(r.metric("numRanges") == 2, r.plan)))
    }
  }

  test("INT read as TINYINT or SMALLINT: values wrap, what the reader compares does not") {
    withFiles("parquet", spark.range(256, 400).selectExpr("cast(id AS INT) AS x"), "x TINYINT") {
      withKeys("1Y", "2Y")(joined("l.x")(r => assert(r.metric("numRanges") == 0, r.plan)))
    }
    withFiles(
      "parquet",
      spark.range(65536, 66000).selectExpr("cast(id AS INT) AS x"),
      "x SMALLINT") {
      withKeys("1S", "2S")(joined("l.x")(r => assert(r.metric("numRanges") == 0, r.plan)))
    }
    // A file that was written as TINYINT is skipped by its footer.
    withRows("parquet", "SELECT cast(id AS TINYINT) AS x FROM range(100)") {
      withKeys("120Y", "99Y")(joined("l.x")())
      withKeys("1Y", "2Y")(joined("l.x")(r => assert(r.metric("footersRead") == 1, r.plan)))
    }
  }

  test("ORC looks at the file's own type") {
    withFiles("orc", spark.range(250, 400).selectExpr("cast(id AS INT) AS x"), "x TINYINT") {
      withKeys("1Y", "-6Y", "100Y") {
        checked(sql("SELECT l.x FROM l JOIN r ON l.x = r.y WHERE r.tag = 1"))
        ()
      }
    }
    withFiles("orc", spark.range(0, 400).selectExpr("cast(id AS INT) AS x"), "x BIGINT") {
      withKeys("1L", "399L")(joined("l.x")(r => assert(r.metric("numRanges") == 2, r.plan)))
    }
  }

  test("decimals of fewer digits than the table's, which would cut keys off") {
    // Spark 3.5 refuses to read them.
    assume(TestedLine.atLeast("4.0"))
    // One range of keys is from 8,000,000.00 to 22,000,000.00, which overflows INT32 at this scale.
    val pairs = (1 to 7).flatMap(i => Seq(s"${i}000000000.00", s"${i}000000001.00"))
    val keys = Seq("8000000.00", "22000000.00") ++ pairs ++ (8 to 63).map(i => s"${i}000000000.00")
    withFiles(
      "parquet",
      spark.range(0, 100).selectExpr("cast(7999950 + id AS DECIMAL(9,2)) AS x"),
      "x DECIMAL(18,2)") {
      withKeys(keys.map(k => s"CAST($k AS DECIMAL(18,2))"): _*)(joined("l.x")())
    }
    // With a file of nine bytes per value, such a key would be an error.
    withFiles(
      "parquet",
      spark.range(0, 100).selectExpr("cast(id AS DECIMAL(20,2)) AS x"),
      "x DECIMAL(38,2)") {
      withKeys("CAST(5 AS DECIMAL(38,2))", "CAST('1e34' AS DECIMAL(38,2))")(joined("l.x")())
    }
    withRows("parquet", "SELECT cast(id AS DECIMAL(9,2)) AS x FROM range(100)") {
      withKeys("CAST(5 AS DECIMAL(9,2))")(
        joined("l.x")(r => assert(r.metric("footersRead") == 1, r.plan)))
    }
  }

  test("a day that the JVM's time zone does not have") {
    val zone = TimeZone.getDefault
    for (java8 <- Seq("true", "false"))
      withConf(SQLConf.DATETIME_JAVA8API_ENABLED.key -> java8) {
        withRows("parquet", "SELECT DATE'2011-12-30' AS x, n FROM range(50) AS t(n)") {
          withKeys("DATE'2011-12-30'") {
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"))
            try joined("l.n")()
            finally TimeZone.setDefault(zone)
          }
        }
      }
  }

  test("timestamps beyond what Java's classes hold") {
    for (java8 <- Seq("true", "false"))
      withConf(SQLConf.DATETIME_JAVA8API_ENABLED.key -> java8) {
        withRows(
          "parquet",
          "SELECT timestamp_micros(9223372036854775000 + n) AS x FROM range(99) AS t(n)") {
          withKeys("timestamp_micros(9223372036854775001)", "timestamp_micros(1)")(joined("l.x")())
        }
        withRows("parquet", "SELECT DATE'+12000-02-29' AS x, n FROM range(50) AS t(n)") {
          withKeys("DATE'+12000-02-29'", "DATE'2020-01-01'")(joined("l.n")())
        }
      }
  }

  test("timestamps that are finer than the file's unit") {
    for (unit <- Seq("TIMESTAMP_MILLIS", "TIMESTAMP_MICROS", "INT96"))
      withConf(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> unit) {
        withRows(
          "parquet",
          "SELECT timestamp_micros(1600000000000000 + n * 500) AS x FROM range(99) AS t(n)") {
          withConf(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> "TIMESTAMP_MICROS") {
            withKeys("timestamp_micros(1600000000001000)", "timestamp_micros(1600000000001500)")(
              joined("l.x")())
            val many = (0 until 20).map(i => s"timestamp_micros(${1600000000001000L + i * 250})")
            withKeys(many: _*)(joined("l.x")())
          }
        }
      }
  }
}
