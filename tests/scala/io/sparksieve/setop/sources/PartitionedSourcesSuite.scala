// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.{
  CatalogStorageFormat,
  CatalogTable,
  CatalogTableType,
  HiveTableRelation
}
import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{IntegerType, StructField, StructType}

import io.sparksieve.report.core.Reason
import io.sparksieve.setop.proof.files.ColumnSensitive

/** Partitioned and bucketed data: one scan reads no file that the two scans would not read. */
class PartitionedSourcesSuite extends SourcesTest {

  private val Except = "ReplaceExceptWithNotFilter"
  private val Union = "ReplaceUnionWithFilter"

  /** Twelve directories of one file each. */
  private def withMonths(format: String)(body: (() => DataFrame) => Unit): Unit = withTempDir {
    dir =>
      val path = new File(dir, "data").getCanonicalPath
      flights.coalesce(1).write.partitionBy("month").format(format).save(path)
      body(() => spark.read.schema("day INT, delay INT, month INT").format(format).load(path))
  }

  /** Asserts that the query has one scan, which skips partitions and reads `files` files. */
  private def assertFiles(rule: String, files: Long)(query: => DataFrame): Unit = {
    assertOneScan(rule)(query)
    val scans = fileScans(query)
    assert(scans.length == 1, scans)
    assert(scans.head.partitionFilters.nonEmpty, scans)
    assert(filesRead(scans) == files, scans)
  }

  private def assertPruned(read: () => DataFrame): Unit = {
    def l = read()
    def r = read()
    assertFiles(Except, 4)(l.where("month < 6").except(r.where("month = 3")))
    assertFiles(Except, 4)(l.where("month < 6").exceptAll(r.where("month = 3")))
    assertFiles("ReplaceIntersectWithFilter", 2) {
      l.where("month < 6").intersectAll(r.where("month > 3"))
    }
    assertFiles(Union, 2)(l.where("month = 1").union(r.where("month = 12")))
    assertFiles("ReplaceAntiJoinWithNotFilter", 4) {
      l.where("month < 6").join(r.where("month = 3"), Seq("month"), "left_anti")
    }
    assertFiles("ReplaceSemiJoinWithFilter", 2) {
      l.where("month < 6").join(r.where("month > 3"), Seq("month"), "left_semi")
    }
    assertFiles("ReplaceSetOpWithCounts", 3) {
      l.where("month <= 2").select("day").except(r.where("month = 3").select("day"))
    }
  }

  for (format <- Seq("parquet", "csv")) {
    test(
      s"$format directories: pruned as before, and one side's partitions are no reason to read all") {
      withMonths(format) { read =>
        assertPruned(read)
        assertDeclined(Union, Reason.PruningLost) {
          read().where("month = 1").union(read().where("day = 2")).distinct()
        }
      }
    }
  }

  test("a partitioned catalog table") {
    withTable("by_month") {
      flights.coalesce(1).write.partitionBy("month").saveAsTable("by_month")
      assertPruned(() => spark.table("by_month"))
    }
  }

  test("partitions that Spark lists in place of their rows") {
    withTable("by_month") {
      sql("CREATE TABLE by_month (day INT, month INT) USING parquet PARTITIONED BY (month)")
      sql("INSERT INTO by_month VALUES (1, 1), (2, 1)")
      sql("ALTER TABLE by_month ADD PARTITION (month = 9)")
      def months(month: Int) = sql(s"SELECT month FROM by_month WHERE month = $month")
      assertOneScan(Union)(months(1).union(months(9)).distinct())
      withSQLConf(SQLConf.OPTIMIZER_METADATA_ONLY.key -> "true") {
        assertDeclined(Union, Reason.ColumnSensitiveSource) {
          months(1).union(months(9)).distinct()
        }
      }
    }
  }

  test("partitions of a Hive table that Spark lists in place of their rows") {
    val day = AttributeReference("day", IntegerType)()
    val month = AttributeReference("month", IntegerType)()
    val table = CatalogTable(
      TableIdentifier("by_month", Some("default")),
      CatalogTableType.MANAGED,
      CatalogStorageFormat.empty,
      StructType(Seq(StructField("day", IntegerType), StructField("month", IntegerType))),
      provider = Some("hive"),
      partitionColumnNames = Seq("month")
    )
    val read = HiveTableRelation(table, Seq(day), Seq(month))
    assert(ColumnSensitive(read) == ColumnSensitive.No)
    withSQLConf(SQLConf.OPTIMIZER_METADATA_ONLY.key -> "true") {
      assert(ColumnSensitive(read) == ColumnSensitive.Rows)
      val whole = HiveTableRelation(table.copy(partitionColumnNames = Nil), Seq(day, month), Nil)
      assert(ColumnSensitive(whole) == ColumnSensitive.No)
    }
  }

  test("row groups that neither side reads, of which one cannot be read") {
    withTempDir { dir =>
      val path = new File(dir, "data").getCanonicalPath
      for ((text, n) <- Seq("abc", "foo", "bar").zipWithIndex)
        spark
          .range(n * 100L, n * 100L + 40, 1, 1)
          .selectExpr("id", s"concat('$text', id % 3) AS t", if (n == 1) "'z' AS x" else "1 AS x")
          .write
          .mode("append")
          .parquet(path)
      def read = spark.read.schema("id BIGINT, t STRING, x INT").parquet(path)
      for ((left, right) <- Seq(
          "id < 100" -> "id >= 200 AND length(t) = 4",
          "id < 100 AND length(t) = 4" -> "id >= 200")) {
        assertOneScan(Union)(read.where(left).union(read.where(right)))
        assertOneScan(Union)(read.where(left).union(read.where(right)).distinct())
      }
      val either = read.where("id < 100 OR id >= 200")
      val middle = read.where("id >= 100 AND id > 150 AND length(t) = 4")
      assertOneScan(Except)(either.exceptAll(middle))
      assertOneScan(Except)(either.except(middle))
      assertOneScan("ReplaceAntiJoinWithNotFilter")(
        either.join(middle, Seq("id", "t"), "left_anti"))
      def third = read.where("id >= 200 AND length(t) = 4")
      assertDeclined(Union, Reason.PruningLost) {
        read.where("CAST(id AS DECIMAL(20, 0)) < 100").union(third).distinct()
      }
      assertOneScan(Union)(read.where("t LIKE 'abc%'").union(third).distinct())
      for (part <- Seq("t LIKE '%abc%'", "t LIKE 'a%1'", "endswith(t, 'c1')", "contains(t, 'bc')"))
        assertDeclined(Union, Reason.PruningLost)(read.where(part).union(third).distinct())
    }
  }

  test("a bucketed table") {
    withTable("buckets") {
      flights.write.bucketBy(4, "month").sortBy("month").saveAsTable("buckets")
      assertEveryRewrite(spark.table("buckets"), spark.table("buckets"))
    }
  }

  test("a bucketed table and its files are two sources") {
    withTable("buckets") {
      flights.write.bucketBy(4, "month").saveAsTable("buckets")
      val path = new File(spark.table("buckets").inputFiles.head).getParent
      assertDeclined(Except, Reason.DifferentSource) {
        spark.table("buckets").exceptAll(spark.read.parquet(path).where("month = 3"))
      }
    }
  }

  test("directories whose names were read under two time zones") {
    withTempDir { dir =>
      val path = new java.io.File(dir, "data").getCanonicalPath
      sql("SELECT id AS k, TIMESTAMP_NTZ'2020-01-01 00:00:00' AS p FROM range(2)").write
        .partitionBy("p")
        .parquet(path)
      def read(zone: String): DataFrame = {
        var found: DataFrame = null
        withSQLConf(SQLConf.SESSION_LOCAL_TIMEZONE.key -> zone) {
          found = spark.read.parquet(path)
          found.count()
        }
        found
      }
      val filter = "k >= 0 AND p > TIMESTAMP'2000-01-01 00:00:00'"
      for (operation <- operations) withClue(operation.name) {
        def query =
          (read("UTC").where("k >= 0"), read("America/Los_Angeles").where(filter)) match {
            case (l, r) if operation.name.startsWith("EXCEPT") => l.exceptAll(r)
            case (l, r) if operation.name.startsWith("INTERSECT") => l.intersect(r)
            case (l, r) => l.join(r, Seq("p"), "left_semi")
          }
        checkAnswer(query, off(query))
      }
    }
  }

  test("two listings of a catalog's table") {
    withTable("listed") {
      sql("CREATE TABLE listed (k BIGINT, p INT) USING parquet PARTITIONED BY (p)")
      sql("INSERT INTO listed VALUES (1, 0), (2, 0)")
      val old = spark.table("listed")
      old.count()
      sql("ALTER TABLE listed SET TBLPROPERTIES ('x' = 'y')")
      val location = new java.io.File(
        new java.net.URI(
          sql("DESCRIBE EXTENDED listed").where("col_name = 'Location'").head().getString(1)))
      sql("SELECT CAST(5 AS BIGINT) AS k").coalesce(1).write.parquet(location.getPath + "-other")
      new java.io.File(location.getPath + "-other").listFiles
        .filter(_.getName.startsWith("part-"))
        .foreach(f =>
          java.nio.file.Files
            .copy(f.toPath, new java.io.File(location, s"p=0/${f.getName}").toPath))
      val now = spark.table("listed")
      now.count()
      Seq[DataFrame => DataFrame](
        r => now.where("k > 0").exceptAll(r),
        r => now.where("k > 0").intersectAll(r),
        r => now.where("k > 0").intersect(r),
        r => now.join(r, Seq("k"), "left_anti")).foreach { operation =>
        def query = operation(old.where("k > 0 AND p >= 0"))
        checkAnswer(query, off(query))
      }
    }
  }

  test("a column that is of another type in some directories") {
    withTempDir { dir =>
      val path = new java.io.File(dir, "p").getCanonicalPath
      sql("SELECT 1 AS a, 10 AS c, struct(1 AS x, 1 AS y) AS s").write.parquet(s"$path/dt=1")
      sql("SELECT 2 AS a, 'x' AS c, struct(2 AS x, 'y' AS y) AS s").write.parquet(s"$path/dt=2")
      val schema = "a INT, c INT, s STRUCT<x: INT, y: INT>, dt INT"
      def p = spark.read.schema(schema).parquet(path)
      for {
        (column, of) <- Seq("c" -> "a", "s.y" -> "s.x")
        operation <- Seq[(DataFrame, DataFrame) => DataFrame](
          (l, r) => l.union(r),
          (l, r) => l.union(r).distinct(),
          (l, r) => l.except(r),
          (l, r) => r.intersect(l))
      } {
        def query = operation(
          p.where(s"dt = 1 AND $column > 0").select(of),
          p.where("dt = 2 AND a > 0").select(of))
        checkAnswer(query, off(query))
      }
    }
  }
}
