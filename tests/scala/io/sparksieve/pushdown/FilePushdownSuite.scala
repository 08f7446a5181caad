// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.TestedLine
import io.sparksieve.report.core.NotPushedReason

/** Parquet, ORC, CSV and JSON files, read by both APIs. */
class FilePushdownSuite extends PushdownTest {

  private val apis = Seq(1, 2)

  /** The layer in which each format's reader handles the predicates that it accepts. */
  private val taken =
    Map("parquet" -> "pushed", "orc" -> "pushed", "csv" -> "evaluated", "json" -> "evaluated")

  for {
    (format, layer) <- taken.toSeq.sortBy(_._1)
    api <- apis
  } {
    def withTable(body: DataFrame => Unit) =
      withFiles(format, if (format == "csv") columns else nested, api, Seq("p"))(body)

    test(s"$format, API $api: what the reader takes, and Spark evaluates again") {
      withTable { t =>
        for (p <- Seq(
            "a > 1",
            "NOT (a = 4)",
            "b <=> 3L",
            "s IS NULL",
            "a IN (1, 2)",
            "flag",
            "NOT flag",
            "d = DATE '2020-02-02'",
            "(a > 1) OR (b < 3L)",
            "(a > 1) OR ((b < 3L) AND flag)"
          )) {
          assertSaid(t.where(p))(s"$p: $layer, spark")
        }
      }
    }

    test(s"$format, API $api: partitions are skipped, and mixed conditions split") {
      withTable { t =>
        assertSaid(t.where("p = 1"))("p = 1L: skipped")
        assertSaid(t.where("p = 1 AND a > 2"))("p = 1L: skipped", s"a > 2: $layer, spark")
        assertSaid(t.where("p + 1 = 2 AND upper(s) = 'X'"))(
          "(p + 1L) = 2L: skipped",
          s"s IS NOT NULL: $layer, spark",
          "upper(s) = 'X': spark computed")
        assertLeft(NotPushedReason.OrAcrossColumns)(t.where("p = 1 OR a = 2"))
        val both = "((p = 1L) AND (a = 2)) OR ((p = 2L) AND (a = 3))"
        val data = if (api == 1) s", $layer" else ""
        assertSaid(t.where(both))(s"$both: skipped$data, spark", "(p = 1L) OR (p = 2L): skipped")
        // No predicate on one of the columns alone follows from this OR.
        assertLeft(NotPushedReason.Computed, "upper(s)")(t.where("p = 1 OR upper(s) = 'X'"))
      }
    }

    test(s"$format, API $api: what has no form for a source") {
      spark.udf.register("plus", (x: Int) => x + 1)
      withTable { t =>
        assertLeft(NotPushedReason.Udf, "plus")(t.where("plus(a) = 3"))
        assertLeft(NotPushedReason.NonDeterministic)(t.where("rand() > 0.5"))
        assertLeft(NotPushedReason.CastOnColumn, "from INT to STRING")(
          t.where("CAST(a AS STRING) = '7'"))
        assertLeft(NotPushedReason.TextColumn, "from STRING to BIGINT")(t.where("s = 7L"))
        assertLeft(NotPushedReason.Pattern)(t.where("s LIKE 'a%b_'"))
        assertLeft(NotPushedReason.Pattern)(t.where("s RLIKE 'a+'"))
        assertLeft(NotPushedReason.Computed, "upper(s)")(t.where("upper(s) = 'X'"))
        assertLeft(NotPushedReason.Computed, "a + 1")(t.where("a + 1 = 3"))
        assertLeft(NotPushedReason.Computed, "upper(s)")(t.where("a > 1 OR upper(s) = 'X'"))
        // The detail names the part of the OR that is the cause, not the whole OR.
        assert(
          explained(t.where("a > 1 OR upper(s) = 'X'"))
            .flatMap(_.predicates)
            .flatMap(_.blame)
            .map(_.detail) == Seq("upper(s)"))
        assertLeft(NotPushedReason.TwoColumns)(t.where("a = b"))
        assertLeft(NotPushedReason.TwoColumns)(t.where("a < length(s)"))
        // Since Spark 4.0, readers of the first API get the subquery's value when the scan starts.
        if (api == 2 || !TestedLine.atLeast("4.0"))
          assertLeft(NotPushedReason.Subquery)(t.where("b = (SELECT max(id) FROM range(3))"))
        else
          assertSaid(t.where("b = (SELECT max(id) FROM range(3))"))(
            s"b = (subquery): $layer, spark")
      }
    }
  }

  for (api <- apis) {
    test(s"Parquet, API $api: offered is not yet taken") {
      withFiles("parquet", nested, api) { t =>
        assertSaid(t.where("st.x = 2"))("st.`x` = 2: pushed, spark")
        assertSaid(t.where("s LIKE 'a%'"))("startswith(s, 'a'): pushed, spark")
        assertLeft(NotPushedReason.TimestampNtz)(t.where("ntz > TIMESTAMP_NTZ'2020-01-01'"))
        assertLeft(NotPushedReason.UnsupportedType)(t.where("arr = array(1)"))
        assertLeft(NotPushedReason.Element)(t.where("arr[0] = 1"))
        assertLeft(NotPushedReason.Element)(t.where("m[1] = 'x'"))
      }
    }

    test(s"Parquet, API $api: timestamps as INT96 are not, as microseconds they are") {
      for ((stored, said) <- Seq("INT96" -> "spark int96", "TIMESTAMP_MICROS" -> "pushed, spark")) {
        withSQLConf(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> stored) {
          withFiles("parquet", columns, api) { t =>
            val p = "ts > TIMESTAMP '2020-01-01 00:00:00'"
            assertSaid(t.where(p))(s"$p: $said")
          }
        }
      }
    }

    test(s"Parquet, API $api: each switch") {
      val switches = Seq(
        "a > 1" -> SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED,
        "d = DATE'2020-02-02'" -> SQLConf.PARQUET_FILTER_PUSHDOWN_DATE_ENABLED,
        "dec = 3" -> SQLConf.PARQUET_FILTER_PUSHDOWN_DECIMAL_ENABLED,
        "s LIKE 'a%'" -> SQLConf.PARQUET_FILTER_PUSHDOWN_STRING_PREDICATE_ENABLED,
        "ts > TIMESTAMP'2020-01-01'" -> SQLConf.PARQUET_FILTER_PUSHDOWN_TIMESTAMP_ENABLED
      )
      withSQLConf(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> "TIMESTAMP_MICROS") {
        withFiles("parquet", columns, api) { t =>
          for ((p, switch) <- switches) {
            assert(lines(t.where(p)).forall(_.endsWith(": pushed, spark")), p)
            withSQLConf(switch.key -> "false") {
              assertLeft(NotPushedReason.SwitchedOff, switch.key)(t.where(p))
            }
          }
          val in = SQLConf.PARQUET_FILTER_PUSHDOWN_INFILTERTHRESHOLD.key
          withSQLConf(in -> "0")(
            assertLeft(NotPushedReason.SwitchedOff, in)(t.where("a IN (1, 2)")))
        }
      }
    }
  }

  test("Parquet: files that hold other types than the table says, or not the column") {
    withFiles("parquet", columns.selectExpr("a", "dec")) { t =>
      val path = t.inputFiles.head
      val other = spark.read.schema("a BIGINT, dec DECIMAL(12, 3), z INT").parquet(path)
      assertLeft(NotPushedReason.StoredOtherwise, "int32 a")(other.where("a > 12345678901"))
      assertLeft(NotPushedReason.StoredOtherwise, "DECIMAL(10,2)")(other.where("dec > 1"))
      assertLeft(NotPushedReason.StoredOtherwise, "no column z")(other.where("z = 1"))
    }
  }

  test("Parquet: records are tested one by one if the reader returns rows, and may") {
    withFiles("parquet", columns) { t =>
      withSQLConf(
        SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false",
        SQLConf.PARQUET_RECORD_FILTER_ENABLED.key -> "true") {
        assertSaid(t.where("a > 1"))("a > 1: pushed, evaluated, spark")
      }
      withSQLConf(SQLConf.PARQUET_RECORD_FILTER_ENABLED.key -> "true") {
        assertSaid(t.where("a > 1"))("a > 1: pushed, spark")
      }
    }
  }

  for (api <- apis) {
    test(s"ORC, API $api: fewer forms and types, and its switch") {
      withFiles("orc", nested, api) { t =>
        assertSaid(t.where("st.x = 2"))("st.`x` = 2: pushed, spark")
        assertSaid(t.where("ts > TIMESTAMP'2020-01-01 00:00:00'"))(
          "ts > TIMESTAMP '2020-01-01 00:00:00': pushed, spark")
        assertLeft(NotPushedReason.SourceDeclines)(t.where("s LIKE 'a%'"))
        assertLeft(NotPushedReason.UnsupportedType, "BINARY")(t.where("bin = X'31'"))
        val switch = SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key
        withSQLConf(switch -> "false")(
          assertLeft(NotPushedReason.SwitchedOff, switch)(t.where("a > 1")))
      }
    }

    for (format <- Seq("csv", "json")) {
      test(s"$format, API $api: its switch, nested fields and corrupt records") {
        withFiles(format, if (format == "csv") columns else nested, api) { t =>
          val switch = s"spark.sql.$format.filterPushdown.enabled"
          withSQLConf(switch -> "false")(
            assertLeft(NotPushedReason.SwitchedOff, switch)(t.where("a > 1")))
          if (format == "json") assertLeft(NotPushedReason.NestedField)(t.where("st.x = 2"))
          val path = t.inputFiles.head
          val marked =
            spark.read.schema("a INT, _corrupt_record STRING").format(format).load(path)
          assertLeft(NotPushedReason.StoredOtherwise, "corrupt")(
            marked.where("a > 1 AND _corrupt_record = 'x'"))
        }
      }
    }
  }

  test("properties of files") {
    withFiles("parquet", columns) { t =>
      assertSaid(t.where("_metadata.file_name = 'x' AND a > 1"))(
        "file_name = 'x': skipped, spark",
        "a > 1: pushed, spark")
    }
  }

  test("text and a format that is not known") {
    withFiles("text", columns.select("s")) { t =>
      assertLeft(NotPushedReason.TakesNone)(t.where("s = '1'"))
    }
    withFiles("parquet", columns) { t =>
      val bytes = spark.read.format("binaryFile").load(t.inputFiles.head)
      assertSaid(bytes.where("length > 3"))("length > 3L: not-known, spark")
    }
  }

  test("buckets") {
    withTable("k") {
      sql("CREATE TABLE k (a INT, b INT) USING parquet CLUSTERED BY (a) INTO 4 BUCKETS")
      sql("INSERT INTO k VALUES (1, 2), (3, 4)")
      assertSaid(sql("SELECT * FROM k WHERE a = 1 AND b = 2"))(
        "a = 1: skipped, pushed, spark",
        "b = 2: pushed, spark")
      assertSaid(sql("SELECT * FROM k WHERE a > 1"))("a > 1: pushed, spark")
      val key = SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key
      withSQLConf(key -> "false") {
        assertSaid(sql("SELECT * FROM k WHERE a IN (1, 2) AND b = 2"))(
          "a IN (1, 2): skipped, spark",
          "b = 2: spark switched-off")
      }
    }
  }

  test("CHAR columns are padded, VARCHAR are not") {
    withTable("c") {
      sql("CREATE TABLE c (c CHAR(5), v VARCHAR(5)) USING parquet")
      sql("INSERT INTO c VALUES ('a', 'b')")
      assertLeft(NotPushedReason.CharPadding)(sql("SELECT * FROM c WHERE c = 'a'"))
      assertSaid(sql("SELECT * FROM c WHERE v = 'b'"))("v = 'b': pushed, spark")
      withSQLConf("spark.sql.readSideCharPadding" -> "false") {
        assertLeft(NotPushedReason.CharPadding)(sql("SELECT * FROM c WHERE c = 'a'"))
      }
    }
  }
}
