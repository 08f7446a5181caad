// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.exec.AdaptiveFilter
import io.sparksieve.bulkfilter.load.KeySetCache
import io.sparksieve.report.core.Reason
import io.sparksieve.scan.DynamicScanExec

/** How key values are read, cached and looked up. */
class BulkFilterRunSuite extends BulkFilterTest {

  private def count(query: String) = sql(query).head().getLong(0)

  test("a changed file is seen, an unchanged one is not read again") {
    val path = file("changing.csv", "1", "2")
    val query = s"SELECT count(*) FROM cars WHERE in_file(id, '$path')"
    assert(count(query) == 2)
    val first = ran(sql(query))._2
    val second = ran(sql(query))._2
    val entries =
      Seq(first, second).map(loads(_).flatMap(_.child.members.leaves).flatMap(_.entry).head)
    assert(entries.head eq entries(1))
    file("changing.csv", "1", "2", "3")
    assert(count(query) == 3)
    val df = sql(query)
    file("changing.csv", "7")
    assert(df.head().getLong(0) == 1)
    sql(s"REFRESH '$path'")
    assert(count(query) == 1)
  }

  test("the cache is bounded, and what is let go is read again") {
    val path = file("evicted.csv", (1 to 100).map(_.toString): _*)
    withConf("spark.sieve.bulkFilter.maxCacheBytes" -> "0") {
      KeySetCache(spark).clear()
      assert(count(s"SELECT count(*) FROM cars WHERE in_file(id, '$path')") == 100)
      assert(KeySetCache(spark).bytes == 0)
      assert(count(s"SELECT count(*) FROM cars WHERE in_file(id, '$path')") == 100)
    }
  }

  /** The number of stages of each job that `body` runs. */
  private def stages(body: => Unit): Seq[Int] = {
    val jobs = new java.util.concurrent.ConcurrentLinkedQueue[Int]
    val listener = new org.apache.spark.scheduler.SparkListener {
      override def onJobStart(start: org.apache.spark.scheduler.SparkListenerJobStart): Unit = {
        jobs.add(start.stageInfos.size)
        ()
      }
    }
    spark.sparkContext.addSparkListener(listener)
    try {
      body
      org.apache.spark.sql.sieve.SessionListeners.await(spark, 10000)
    } finally spark.sparkContext.removeSparkListener(listener)
    jobs.asScala.toSeq
  }

  test("two columns of a file are read in one job") {
    folder("both", "parquet", sql("SELECT id, cast(id AS INT) AS c FROM range(50)"))
    val df = sql(
      s"SELECT id FROM cars WHERE in_file(id, '$dir/both', map('column', 'id')) AND in_file(code, '$dir/both', map('column', 'c'))")
    assert(stages { df.collect(); () }.size == 2)
    checkAnswer(df, sql("SELECT id FROM cars WHERE id < 50 AND code < 50"))
  }

  test("parts go to the driver as they are where it is known that they fit") {
    val ids = spark.range(0, 900, 3, 7).selectExpr("concat('x', id) AS s", "id", "-id AS n")
    for ((format, most) <- Seq("parquet" -> 1, "orc" -> 2)) {
      val path = folder(s"parts.$format", format, ids)
      val query = s"SELECT id FROM cars WHERE in_file(id, '$path', map('column', 'id'))"
      assert(stages { sql(query).collect(); () }.max == most, format)
      checkAnswer(sql(query), sql("SELECT id FROM cars WHERE id % 3 = 0 AND id < 900"))
    }
  }

  test("values are those of their columns, from batches and from rows") {
    val columns = "if(id % 5 = 0, NULL, concat('colour ', id % 4)) AS s, id, " +
      "if(id % 3 = 0, NULL, cast(id % 90 AS INT)) AS n"
    for (format <- Seq("parquet", "orc"); vectorized <- Seq("true", "false"))
      withConf(
        "spark.sql.parquet.enableVectorizedReader" -> vectorized,
        "spark.sql.orc.enableVectorizedReader" -> vectorized) {
        val path =
          folder(s"$format.$vectorized", format, sql(s"SELECT $columns FROM range(0, 200, 1, 3)"))
        sql(s"SELECT $columns FROM range(200)").createOrReplaceTempView("expected")
        for ((key, column) <- Seq("id" -> "id", "code" -> "n", "colour" -> "s"))
          checkAnswer(
            sql(s"SELECT id FROM cars WHERE in_file($key, '$path', map('column', '$column'))"),
            sql(s"SELECT id FROM cars WHERE $key IN (SELECT $column FROM expected)")
          )
        checkAnswer(
          sql(s"SELECT id FROM cars WHERE in_file((code, colour), '$path', map('column', 'n, s'))"),
          sql("SELECT id FROM cars WHERE (code, colour) IN (SELECT n, s FROM expected)")
        )
      }
  }

  test("views, caches, aggregates, HAVING, CASE, joins, subqueries and WITH") {
    val path = file("ids.csv", (0 until 2000 by 3).map(_.toString): _*)
    val in = s"in_file(id, '$path')"
    sql(s"CREATE OR REPLACE TEMP VIEW third AS SELECT * FROM cars WHERE $in")
    assertSame("SELECT * FROM third", "SELECT * FROM cars WHERE id % 3 = 0")
    assertSame(
      s"SELECT CASE WHEN $in THEN 'yes' ELSE 'no' END, count_if($in) FROM cars GROUP BY 1, id HAVING in_file(max(id), '$path')",
      "SELECT 'yes', 1 FROM cars WHERE id % 3 = 0"
    )
    assertSame(
      s"SELECT a.id FROM cars a JOIN cars b ON a.id = b.id + 1 AND (in_file(a.id, '$path') OR in_file(b.id, '$path'))",
      "SELECT a.id FROM cars a JOIN cars b ON a.id = b.id + 1 AND (a.id % 3 = 0 OR b.id % 3 = 0)"
    )
    assertSame(
      s"WITH t AS (SELECT * FROM cars WHERE $in) SELECT * FROM t WHERE id > (SELECT min(id) FROM t)",
      "SELECT * FROM cars WHERE id % 3 = 0 AND id > 0")
    assertSame(
      s"SELECT * FROM cars WHERE id IN (SELECT code FROM cars WHERE $in)",
      "SELECT * FROM cars WHERE id IN (SELECT code FROM cars WHERE id % 3 = 0)")
    assertSame(
      s"SELECT x FROM VALUES (1), (3), (NULL) AS t(x) WHERE in_file(x, '$path')",
      "SELECT 3")
    val cached = sql(s"SELECT * FROM cars WHERE $in").cache()
    try checkAnswer(cached, sql("SELECT * FROM cars WHERE id % 3 = 0"))
    finally cached.unpersist()
  }

  test("permanent views and tables made of the functions") {
    val path = file("kept.csv", "1", "2")
    sql(s"CREATE TABLE made USING parquet AS SELECT * FROM cars WHERE in_file(id, '$path')")
    try checkAnswer(sql("SELECT id FROM made"), sql("SELECT id FROM cars WHERE id IN (1, 2)"))
    finally sql("DROP TABLE made")
    sql(s"CREATE VIEW lasting AS SELECT id FROM cars WHERE in_file(id, '$path')")
    try assertSame("SELECT * FROM lasting", "SELECT id FROM cars WHERE id IN (1, 2)")
    finally sql("DROP VIEW lasting")
  }

  test("without adaptive execution, codegen off, in every Spark mode") {
    val path = file("modes.csv", (0 until 2000 by 5).map(_.toString): _*)
    for {
      aqe <- Seq("true", "false")
      adaptive <- Seq("true", "false")
    } withConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe,
      "spark.sieve.adaptiveFilter.enabled" -> adaptive) {
      assertSame(
        s"SELECT colour, count(*) FROM cars WHERE in_file(id, '$path') OR NOT in_file(code, '$path') GROUP BY colour",
        "SELECT colour, count(*) FROM cars WHERE id % 5 = 0 OR NOT code % 5 = 0 GROUP BY colour"
      )
    }
    withConf("spark.sieve.enabled" -> "false") {
      checkAnswer(
        sql(s"SELECT id FROM cars WHERE in_file(id, '$path')"),
        sql("SELECT id FROM cars WHERE id % 5 = 0"))
    }
  }

  test("partitions are pruned, and keys of an include prune the scan") {
    val path = file("parts.csv", "3", "4")
    sql("SELECT id, cast(id % 10 AS INT) AS p FROM range(1000)").write
      .partitionBy("p")
      .mode("overwrite")
      .saveAsTable("parted")
    try {
      assertSame(
        s"SELECT * FROM parted WHERE in_file(p, '$path')",
        "SELECT * FROM parted WHERE p IN (3, 4)")
      val (_, plan) = ran(sql(s"SELECT * FROM parted WHERE in_file(p, '$path')"))
      val files = collect(plan) { case s: org.apache.spark.sql.execution.FileSourceScanExec => s }
      assert(files.head.metrics("numFiles").value <= 8, plan)
    } finally sql("DROP TABLE parted")
    val ids = file("few.csv", "1990", "1995")
    val (rows, plan) =
      ran(sql(s"SELECT * FROM cars WHERE in_file(id, '$ids') AND brand IS NOT NULL"))
    val scans = collect(plan) { case s: DynamicScanExec => s }
    assert(scans.size == 1 && scans.head.metrics("numRanges").value > 0, plan)
    assert(rows.map(_.getLong(0)).toSet == Set(1990L, 1995L))
    withConf("spark.sieve.bulkFilter.enabled" -> "false") {
      val (_, off) = ran(sql(s"SELECT * FROM cars WHERE in_file(id, '$ids')"))
      assert(collect(off) { case s: DynamicScanExec => s }.isEmpty, off)
    }
    val (_, denied) =
      ran(sql(s"SELECT * FROM cars WHERE NOT in_file(id, '$ids') OR in_file(code, '$ids')"))
    assert(collect(denied) { case s: DynamicScanExec => s }.isEmpty, denied)
  }

  test("a static filter on a stream") {
    val path = file("stream.csv", "1", "3")
    new java.io.File(dir, "incoming").mkdir()
    file("incoming/1.csv", "1", "2", "3")
    val query = spark.readStream
      .schema("value INT")
      .csv(s"$dir/incoming")
      .where(s"in_file(value, '$path')")
      .writeStream
      .format("memory")
      .queryName("streamed")
      .start()
    try {
      query.processAllAvailable()
      checkAnswer(spark.table("streamed"), sql("SELECT * FROM VALUES (1), (3)"))
      file("stream.csv", "2")
      file("incoming/2.csv", "1", "2", "3")
      query.processAllAvailable()
      checkAnswer(spark.table("streamed"), sql("SELECT * FROM VALUES (1), (3), (2)"))
    } finally query.stop()
  }

  test("cost model: measured filters are adaptive, those of points are not") {
    val path = file("cost.csv", "1", "3")
    folder("brands", "parquet", sql("SELECT concat('brand ', id) AS b FROM range(4)"))
    val query = s"SELECT * FROM cars WHERE in_file(id, '$path') AND in_file(brand, '$dir/brands')"
    assert(collect(ran(sql(query))._2) { case f: AdaptiveFilter => f }.nonEmpty)
    withConf("spark.sieve.bulkFilter.costModel" -> "points") {
      assert(collect(ran(sql(query))._2) { case f: AdaptiveFilter => f }.isEmpty)
      val execution =
        io.sparksieve.compat.SparkCompat.plan(spark, sql(query).queryExecution.analyzed)
      val said = io.sparksieve.report.core.Report.collecting(execution.executedPlan)._2
      assert(said.exists(_.reason.contains(Reason.OrderOfPoints)), said)
    }
  }

  test("the report: the tree, its points, and what reading gave") {
    val path = file("report.csv", "id,n", "1,a", "1,b", "x,c", ",d", "7,e")
    val options = "map('header', 'true', 'column', 'id', 'invalid', 'skip')"
    val query =
      s"SELECT * FROM cars WHERE (in_file(id, '$path', $options) OR in_file(code, '$path', $options)) AND brand IS NOT NULL"
    sql(query).collect()
    val said = sql(
      s"SELECT outcome, rule, detail FROM sieve_report('${query.replace("'", "\\'")}') WHERE feature = 'bulkfilter'")
      .collect()
      .map(_.mkString(" | "))
    info(said.mkString("\n"))
    assert(
      said.exists(s => s.startsWith("applied") && s.contains("A or B") && s.contains("2 points")),
      said.mkString("\n"))
    assert(
      said.exists(s =>
        s.startsWith("measured | LoadKeys | 2 values") && s.contains(
          "1 NULL, 1 invalid value left out")),
      said.mkString("\n"))
  }
}
