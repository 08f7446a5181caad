// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.TestedLine
import io.sparksieve.report.core.Reason

/** Rows that Spark holds itself: inline tables, ranges, RDDs and cached data. */
class MemorySourcesSuite extends SourcesTest {

  import testImplicits._

  private val Except = "ReplaceExceptWithNotFilter"

  private def withFlights(body: String => Unit): Unit = withTempDir { dir =>
    val path = new File(dir, "data").getCanonicalPath
    flights.coalesce(1).write.parquet(path)
    try body(path)
    finally spark.catalog.clearCache()
  }

  /** The number of cached relations that the query reads. */
  private def cachedIn(df: DataFrame): Int =
    df.queryExecution.withCachedData.collect { case r: InMemoryRelation => r }.length

  test("inline tables: equal rows are one source, others are not") {
    val left = "SELECT * FROM VALUES (1, 'a'), (2, NULL), (2, NULL), (3, 'c') AS t(n, s)"
    assertOneScan(Except)(sql(s"$left EXCEPT ALL $left WHERE n = 2"))
    assertOneScan("ReplaceIntersectWithFilter")(sql(s"$left INTERSECT $left WHERE s IS NOT NULL"))
    assertDeclined(Except, Reason.DifferentSource) {
      sql(s"$left EXCEPT ALL SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(n, s) WHERE n = 1")
    }
    // The rows are equal by =, but they differ.
    assertDeclined(Except, Reason.DifferentSource) {
      sql("""SELECT * FROM VALUES (0.0D), (1.0D) AS t(d)
        EXCEPT ALL SELECT * FROM VALUES (-0.0D), (1.0D) AS t(d) WHERE d = 1""")
    }
  }

  test("a Seq and a Range") {
    val seq = Seq((1, "a"), (2, "b"), (2, "b"), (3, null)).toDF("n", "s")
    assertOneScan(Except)(seq.exceptAll(seq.where("s IS NULL")))
    assertOneScan(Except)(
      seq.except(Seq((1, "a"), (2, "b"), (2, "b"), (3, null)).toDF("n", "s").where("n = 2")))
    assertOneScan(Except)(spark.range(10).toDF().except(spark.range(10).toDF().where("id % 3 = 0")))
    assertOneScan("ReplaceUnionWithFilter") {
      sql("SELECT id FROM range(9) WHERE id < 3 UNION ALL SELECT id FROM range(9) WHERE id > 5")
    }
    assertDeclined(Except, Reason.DifferentSource) {
      spark.range(10).toDF().exceptAll(spark.range(11).toDF().where("id > 3"))
    }
    // Both ranges have the same numbers; the number of partitions does not matter.
    assertOneScan(Except)(
      spark.range(0, 10, 1, 2).toDF().exceptAll(spark.range(0, 10, 1, 3).toDF().where("id = 1")))
  }

  test("an RDD: the same one, and two") {
    def frame(max: Int) = spark.createDataFrame(
      spark.sparkContext.parallelize(1 to max).map(i => Row(i % 12 + 1)),
      org.apache.spark.sql.types.StructType.fromDDL("month INT"))
    val one = frame(30)
    assertEveryRewrite(one, one)
    assertDeclined(Except, Reason.DifferentSource)(one.exceptAll(frame(30).where("month = 3")))
  }

  test("checkpoints are read once") {
    val checkpoint = flights.localCheckpoint()
    assertEveryRewrite(checkpoint, checkpoint)
  }

  test("a cached base") {
    withFlights { path =>
      val base = spark.read.parquet(path).where("day < 5").cache()
      assertEveryRewrite(base, base)
      val query = base.where("month < 6").except(base.where("month = 3"))
      assert(cachedIn(query) == 1, query.queryExecution.withCachedData)
      assert(fileScans(query).isEmpty)
    }
  }

  test("a cached left side of files that may be replaced") {
    withFlights { path =>
      val file = spark.read.parquet(path)
      val left = file.where("month < 6").cache()
      for (query <- Seq(
          left.except(file.where("month = 3")),
          left.exceptAll(file.where("month = 3")))) {
        assertDeclined(Except, Reason.CachedBranch)(query)
        assert(cachedIn(query) == 1, query.queryExecution.withCachedData)
      }
    }
  }

  test("a cached table, and filters of it") {
    withFlights { path =>
      val all = spark.read.parquet(path).cache()
      for (query <- Seq(
          all.where("month < 6").except(all.where("month = 3")),
          all.except(all.where("month = 3")),
          all.exceptAll(all.where("month = 3")))) {
        val (plan, entries) = planned(query)
        assertApplied(Except, entries, plan)
        assert(cachedIn(query) == 1, query.queryExecution.withCachedData)
        assert(fileScans(query).isEmpty)
        checkAnswer(query, off(query))
      }
    }
  }

  test("a cached right side") {
    withFlights { path =>
      val file = spark.read.parquet(path)
      val right = file.where("month = 3").cache()
      assertDeclined(Except, Reason.CachedBranch)(file.exceptAll(right))
      // Merged into one scan, the union would read rows again that are cached.
      assertDeclined("ReplaceUnionWithFilter", Reason.CachedBranch) {
        file.where("month = 4").union(right)
      }
    }
  }

  for (v1 <- Seq("parquet", ""))
    test(s"a cache made before files were added, with V1 sources '$v1'") {
      withSQLConf(SQLConf.USE_V1_SOURCE_LIST.key -> v1)(olderCache())
    }

  private def olderCache(): Unit =
    withFlights { path =>
      val old = spark.read.parquet(path).where("month < 6").cache()
      assert(old.count() == 50)
      copyFile(new File(path))
      val now = spark.read.parquet(path)
      assert(now.count() == 240)
      def queries = Seq(
        now.where("month < 6").exceptAll(now.where("month = 3")),
        now.exceptAll(now.where("month < 6").where("day = 1")),
        now.where("month < 6").intersectAll(now.where("month > 3")),
        now.where("month < 6").union(now.where("month >= 6"))
      )
      queries.indices.foreach { i =>
        val verdicts = planned(queries(i))._2.filter(_.rule != "LowerUnsafeExcept")
        assert(!verdicts.exists(_.reason.isEmpty), verdicts)
        checkAnswer(queries(i), off(queries(i)))
      }
    }

  test("a cached operation is found by the same operation later") {
    withFlights { path =>
      def query = {
        val file = spark.read.parquet(path)
        file.where("month < 6").except(file.where("month = 3"))
      }
      val cached = query.cache()
      checkAnswer(cached, off(query))
      val again = query
      assert(cachedIn(again) == 1, again.queryExecution.withCachedData)
      assert(fileScans(again).isEmpty)
      // Spark 3.5 caches the normalised plan, but looks up the original plan to drop it.
      if (!TestedLine.atLeast("4.0")) spark.catalog.clearCache()
      else cached.unpersist(blocking = true)
      assert(cachedIn(query) == 0)
    }
  }

  test("CACHE TABLE over a view of an operation") {
    withFlights { path =>
      withTempView("v", "kept") {
        spark.read.parquet(path).createOrReplaceTempView("v")
        sql("CACHE TABLE kept AS SELECT month FROM v EXCEPT SELECT month FROM v WHERE month > 2")
        checkAnswer(spark.table("kept"), rows(1, 2))
        assert(cachedIn(spark.table("kept")) == 1)
      }
    }
  }

  test("typed filters are code, not conditions") {
    val numbers = spark.range(20).as[Long]
    assertDeclined(Except, Reason.DifferentSource) {
      numbers.except(numbers.filter((n: Long) => n % 3 == 0)).toDF()
    }
  }
}
