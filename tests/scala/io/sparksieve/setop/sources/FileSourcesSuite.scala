// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File
import java.nio.file.Files

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.lit
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.Reason

/** Files of Spark's own formats: when two reads count as one source, and when they do not. */
class FileSourcesSuite extends SourcesTest {

  import testImplicits._

  private val Except = "ReplaceExceptWithNotFilter"
  private val Union = "ReplaceUnionWithFilter"

  /** Runs `body` with a directory that `write` fills. */
  private def withData(write: String => Unit)(body: String => Unit): Unit =
    withTempDir { dir =>
      val path = new File(dir, "data").getCanonicalPath
      write(path)
      body(path)
    }

  private def schema = flights.schema.toDDL

  test("the documents' example on CSV: one scan, no join, one filter") {
    withData(flights.write.option("header", "true").csv(_)) { path =>
      def ds1 = spark.read.option("header", "true").csv(path)
      def ds2 = ds1.where($"month" === 12)
      def ds3 = ds1.where($"month" < 3)
      withConf(SQLConf.ANSI_ENABLED.key -> "true") {
        assertDeclined(Except, Reason.MayFail)(ds3.except(ds2))
      }
      // Without ANSI mode, no text makes the casts fail.
      withConf(SQLConf.ANSI_ENABLED.key -> "false") {
        val except = ds3.except(ds2)
        assertOneScan(Except)(except)
        val plan = except.queryExecution.optimizedPlan.toString
        val condition = """\(cast\(month#\d+ as int\) < 3\) AND """ +
          """NOT \(cast\(month#\d+ as int\) <=> 12\)"""
        assert(condition.r.findFirstIn(plan).nonEmpty, plan)
        assert(fileScans(except).length == 1)
      }
    }
  }

  for (format <- Seq("parquet", "orc", "csv")) {
    test(s"$format: one read used twice, and two reads of the same files") {
      withData(flights.write.format(format).save(_)) { path =>
        def read = spark.read.schema(schema).format(format).load(path)
        assertOneScan(Except) {
          val once = read
          once.where("month < 6").except(once.where("month = 3"))
        }
        assertEveryRewrite(read, read)
      }
    }
  }

  for (format <- Seq("parquet", "orc", "csv", "json")) {
    test(s"$format: files appended between two reads") {
      withData(flights.write.format(format).save(_)) { path =>
        def read = spark.read.schema(schema).format(format).load(path)
        val before = read
        flights
          .where("day = 1")
          .withColumn("day", lit(31))
          .write
          .mode("append")
          .format(format)
          .save(path)
        val after = read
        // Spark alone treats both reads as one relation and loses the new rows of month 12.
        assertLeft(after.except(before.where("month = 12")), "month = 12", 1)
        assertLeft(before.except(after.where("month = 12")), "month = 12", 0)
        operations.foreach { o =>
          val (plan, entries) = planned(o.of(after, before))
          assert(entries.flatMap(_.reason).contains(Reason.DifferentSnapshot), s"$entries\n$plan")
          assert(!entries.exists(e => e.rule == o.rule && e.reason.isEmpty), s"$entries\n$plan")
        }
      }
    }
  }

  /** Asserts the number of rows of `df` that pass `condition`. */
  private def assertLeft(df: DataFrame, condition: String, count: Long): Unit =
    assert(df.where(condition).count() == count, df.queryExecution)

  test("text: filters on the line") {
    withData(Seq("a", "bb", "bb", "ccc", "dddd").toDF().write.text(_)) { path =>
      def read = spark.read.text(path)
      assertOneScan(Except)(read.except(read.where("length(value) > 2")))
      assertOneScan(Except)(read.exceptAll(read.where("length(value) > 2")))
      assertOneScan("ReplaceIntersectWithFilter") {
        read.where("value LIKE 'b%'").intersectAll(read.where("length(value) = 2"))
      }
    }
  }

  test("two reads with different options, or schemas, are two sources") {
    withData(flights.write.option("header", "true").csv(_)) { path =>
      val header = spark.read.schema(schema).option("header", "true").csv(path)
      val others = Seq(
        spark.read.schema(schema).option("header", "false").csv(path),
        spark.read.schema(schema).option("header", "true").option("nullValue", "3").csv(path),
        spark.read
          .schema("month INT, day INT, delay STRING")
          .option("header", "true")
          .csv(path)
          .withColumn("delay", $"delay".cast("int")),
        spark.read
          .schema("month INT, delay INT, day INT")
          .option("header", "true")
          .csv(path)
          .select("month", "day", "delay")
      )
      others.foreach { other =>
        assertDeclined(Except, Reason.DifferentSource)(header.exceptAll(other.where("month = 3")))
        assertDeclined(Union, Reason.DifferentSource) {
          header.where("month < 3").union(other.where("month = 3"))
        }
      }
    }
  }

  test("two reads in sessions of different time zones are two sources") {
    withData(Seq("2020-01-01 00:00:00", "2020-01-01 12:00:00").toDF().write.text(_)) { path =>
      def read(zone: String) = {
        val session = spark.newSession()
        session.conf.set(SQLConf.SESSION_LOCAL_TIMEZONE.key, zone)
        session.read.schema("t TIMESTAMP").csv(path).createOrReplaceGlobalTempView(zone)
        spark.table(s"global_temp.$zone")
      }
      try {
        val (utc, pst) = (read("UTC"), read("PST"))
        def query = utc.exceptAll(pst.where("t > TIMESTAMP'2020-01-01 00:00:00Z'"))
        assertDeclined(Except, Reason.DifferentSource)(query)
        checkAnswer(query, off(query))
        assertOneScan(Except)(utc.exceptAll(utc.where("t > TIMESTAMP'2020-01-01 00:00:00Z'")))
      } finally Seq("UTC", "PST").foreach(spark.catalog.dropGlobalTempView)
    }
  }

  test("what the other session ignores") {
    withData(flights.write.option("header", "true").csv(_)) { path =>
      val other = spark.newSession()
      other.conf.set(SQLConf.IGNORE_CORRUPT_FILES.key, "true")
      other.read.schema(schema).csv(path).createOrReplaceGlobalTempView("ignoring")
      try {
        val read = spark.table("global_temp.ignoring")
        assertDeclined("ReplaceSetOpWithCounts", Reason.ColumnSensitiveSource) {
          read.select("month").exceptAll(read.where("day = 3").select("month"))
        }
      } finally spark.catalog.dropGlobalTempView("ignoring")
    }
  }

  test("a file replaced by one of the same size is another snapshot") {
    withTempDir { dir =>
      val file = new File(dir, "one.csv").toPath
      Files.write(file, "1,2,3\n4,5,6\n".getBytes)
      def read = spark.read.schema(schema).csv(file.toString)
      val before = read
      Files.write(file, "1,2,3\n7,8,9\n".getBytes)
      assert(file.toFile.setLastModified(System.currentTimeMillis() + 60000))
      val after = read
      val (_, entries) = planned(before.exceptAll(after.where("month = 1")))
      assert(entries.flatMap(_.reason).contains(Reason.DifferentSnapshot), entries)
    }
  }

  test("input_file_name() stays") {
    withData(flights.repartition(3).write.parquet(_)) { path =>
      val read = spark.read.parquet(path)
      val named = read.selectExpr("month", "input_file_name() AS file")
      assertDeclined(Except, Reason.NonDeterministic) {
        named.except(named.where("month = 3"))
      }
      assertDeclined(Union, Reason.NonDeterministic) {
        named.where("month < 3").union(named.where("month >= 3"))
      }
    }
  }

  test("_metadata columns, on one side and on both") {
    withData(flights.repartition(3).write.parquet(_)) { path =>
      val read = spark.read.parquet(path)
      assertOneScan(Except) {
        val named = read.selectExpr("month", "_metadata.file_name AS file")
        named.except(named.where("month = 3"))
      }
      assertOneScan(Union) {
        val named = read.selectExpr("month", "_metadata.file_size AS size")
        named.where("month < 3").union(named.where("month >= 3"))
      }
      val file = read.selectExpr("_metadata.file_name").head().getString(0)
      def both(columns: DataFrame) = columns.where(s"file = '$file'").select("month")
      val named = read.selectExpr("month", "day", "_metadata.file_name AS file")
      assertOneScan("ReplaceSetOpWithCounts") {
        named.where("day < 4 AND file IS NOT NULL").select("month").except(both(named))
      }
      // The left side's relation has no _metadata, so one scan of it cannot serve the right side.
      assertDeclined("ReplaceSetOpWithCounts", Reason.DifferentProjection) {
        read.where("day < 4").select("month").except(both(named))
      }
      assertDeclined(Union, Reason.DifferentProjection) {
        read.where("day < 4").select("month").union(both(named)).distinct()
      }
    }
  }

  test("user-given schema with fewer columns is another source than the files' own") {
    withData(flights.write.parquet(_)) { path =>
      val narrow = spark.read.schema("month INT").parquet(path)
      val whole = spark.read.parquet(path)
      assertDeclined(Except, Reason.DifferentSource) {
        narrow.except(whole.where("month = 3").select("month"))
      }
      assertOneScan(Except)(narrow.except(narrow.where("month = 3")))
    }
  }

  test("a glob, a list of paths and single files") {
    withData(flights.repartition(4).write.parquet(_)) { path =>
      def glob = spark.read.parquet(s"$path/part-*")
      assertOneScan(Except)(glob.exceptAll(glob.where("month = 3")))
      val files = new File(path).listFiles.filter(_.getName.endsWith(".parquet")).map(_.toString)
      def list = spark.read.parquet(files.toSeq: _*)
      assertOneScan(Except)(list.exceptAll(list.where("month = 3")))
      val (one, other) = (spark.read.parquet(files(0)), spark.read.parquet(files(1)))
      assertDeclined(Except, Reason.DifferentSource)(one.exceptAll(other.where("month = 3")))
    }
  }
}
