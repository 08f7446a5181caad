// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import java.io.File

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.LogicalRelation

import io.sparksieve.conf.SieveConf

/**
 * What is in Spark's cache is what was cached, however Sieve rewrites it: a cached query is found
 * and dropped as without Sieve, and no other query is taken for it.
 */
class CachedRewritesSuite extends SetOpTest {

  private val semi = """SELECT l.* FROM p AS l LEFT SEMI JOIN (SELECT * FROM p WHERE a > 0) AS r
    ON l.a <=> r.a AND l.b <=> r.b AND l.d = r.d"""
  private val except = "SELECT * FROM p WHERE a > 0 EXCEPT SELECT * FROM p WHERE b = 2"
  private val union = "SELECT * FROM p WHERE a > 0 UNION ALL SELECT * FROM p WHERE a <= 0"
  private val nest = Seq.fill(3)("SELECT * FROM p WHERE a > 0").mkString(" UNION ")
  private val member = "SELECT * FROM p WHERE b IN (SELECT b FROM p WHERE b > 0)"
  private val some = Seq(semi, except, nest, s"WITH w AS ($semi) SELECT * FROM w")
  // Becomes the anti-join that Spark plans without the semi-join's filter.
  private val lowered = s"""SELECT b AS a, b, d FROM ($semi)
    EXCEPT SELECT b AS a, b, d FROM p WHERE a <> 0 AND 10 / a > 3"""
  private val forms = some ++ Seq(union, member, lowered)

  private val old = Seq((0, 1, 0.5), (1, 2, 1.5), (2, 0, 2.5), (3, 3, 9.0), (-4, 1, 7.5))
  private val fresh = Seq((0, 1, 0.5), (1, 5, 1.5), (6, 0, 2.5), (7, 3, 9.0), (-8, 1, 7.5))

  /** Calls `body`, without Sieve and with it, and expects the same result and no error. */
  private def same(body: Files => Any): Unit = withoutCounting {
    assert(under(sieve = true)(body) == under(sieve = false)(body))
  }

  private def under(sieve: Boolean)(body: Files => Any): Any =
    withConf(SieveConf.ENABLED.key -> sieve.toString) {
      inTempDir { dir =>
        val files = new Files(dir)
        files.write(old)
        try body(files)
        finally {
          spark.catalog.clearCache()
          Seq("p", "v").foreach(spark.catalog.dropTempView(_))
        }
      }
    }

  /** The files of `p`, which is a view of them. */
  private class Files(dir: File) {
    private val path = new File(dir, "p").getCanonicalPath

    def write(rows: Seq[(Int, Int, Double)]): Unit = {
      import testImplicits._
      rows.toDF("a", "b", "d").coalesce(1).write.mode("overwrite").parquet(path)
      spark.read.parquet(path).createOrReplaceTempView("p")
    }
  }

  /** What `query` reads, the cache or a source, and its rows. */
  private def read(query: String): (Seq[String], Set[Row]) = {
    val df = sql(query)
    val leaves = df.queryExecution.withCachedData.collectWithSubqueries {
      case leaf @ (_: LogicalRelation | _: InMemoryRelation) => leaf.nodeName
    }
    // One scan may read what two read without Sieve.
    (leaves.distinct.sorted, df.collect().toSet)
  }

  private def cache(query: String): DataFrame = {
    val df = sql(query).cache()
    df.count()
    df
  }

  /** Asserts that `query` reads the view `v` from the cache, alone, as it does without Sieve. */
  private def readsCache(query: String): Unit = for (form <- some) same { _ =>
    sql(form).createOrReplaceTempView("v")
    cache(form)
    val (leaves, rows) = read(query)
    // Spark numbers the definitions of a query, and finds no numbered ones within a definition.
    if (!form.startsWith("WITH")) assert(leaves == Seq("InMemoryRelation"), s"$form\n$query")
    (leaves, rows)
  }

  // Spark may replace this EXCEPT by a filter.
  private def both(v: String) =
    s"SELECT * FROM $v WHERE d > 1.0D EXCEPT SELECT * FROM $v WHERE d <= 5.0D"

  test("as it was cached, below other operators and row ids") {
    readsCache("SELECT a, b FROM v WHERE d > 0")
    readsCache("SELECT monotonically_increasing_id() >= 0 AS i, * FROM v")
    readsCache("SELECT spark_partition_id() >= 0 AS i, a FROM (SELECT DISTINCT a FROM v)")
  }

  test("in definitions and sides that are left alone") {
    readsCache("""WITH u AS (SELECT a, b + 1 AS b FROM v WHERE d > 0)
      SELECT monotonically_increasing_id() >= 0 AS i, * FROM u""")
    readsCache("""WITH u AS (SELECT a FROM VALUES (1), (7) AS x(a) WHERE a IN (SELECT a FROM v))
      SELECT rand(7) < 2 AS i, * FROM u""")
    readsCache(both("v"))
    readsCache(both("(SELECT DISTINCT * FROM v) AS x"))
    readsCache(s"WITH u AS (SELECT * FROM v WHERE a < 9) ${both("u")}")
  }

  test("a part is cached after the whole, and the other way round") {
    for (form <- forms) {
      same { _ =>
        cache(form)
        cache("SELECT * FROM p WHERE a > 0")
        read(form)
      }
      same { _ =>
        val part = cache("SELECT * FROM p WHERE a > 0")
        cache(form)
        part.unpersist(blocking = true)
        read(form)
      }
    }
  }

  test("what is uncached is uncached, also if a part is cached") {
    for (form <- forms) same { files =>
      cache(form)
      val part = cache("SELECT * FROM p WHERE a > 0")
      sql(form).unpersist(blocking = true)
      part.unpersist(blocking = true)
      val isEmpty = spark.sharedState.cacheManager.isEmpty
      if (form == semi) assert(isEmpty)
      files.write(fresh)
      (isEmpty, read(form))
    }
  }

  test("cached with Sieve, read without it, and the other way round") {
    for {
      // Spark 3.5 finds no cached query with definitions.
      form <- forms.filterNot(_.startsWith("WITH"))
      first <- Seq("true", "false")
    } {
      withConf(SieveConf.ENABLED.key -> first) {
        sql("CREATE OR REPLACE TEMPORARY VIEW p AS SELECT * FROM VALUES (1, 2, 0.5D) AS p(a, b, d)")
        cache(form)
      }
      try
        withConf(SieveConf.ENABLED.key -> (first != "true").toString) {
          assert(read(form)._1 == Seq("InMemoryRelation"), form)
        }
      finally spark.catalog.clearCache()
    }
  }

  // One of them is cached, then the files change: the other one reads the new files.
  private val alike = Seq(
    nest -> "SELECT * FROM p WHERE a > 0 UNION SELECT * FROM p WHERE a > 0",
    union -> "SELECT * FROM p WHERE a > 0 OR a <= 0",
    union.replace(" ALL", "") -> "SELECT DISTINCT * FROM p WHERE a > 0 OR a <= 0",
    "SELECT * FROM p EXCEPT SELECT * FROM p WHERE b = 1" ->
      "SELECT DISTINCT * FROM p WHERE NOT (b <=> 1)",
    member -> """SELECT * FROM p AS l LEFT SEMI JOIN (SELECT * FROM p WHERE b > 0) AS r
      ON l.b = r.b""",
    "SELECT * FROM p EXCEPT ALL SELECT * FROM p WHERE b = 1" -> """SELECT * FROM p AS l
      LEFT ANTI JOIN (SELECT * FROM p WHERE b = 1) AS r ON l.a <=> r.a AND l.b <=> r.b"""
  )

  test("other queries of the same rewritten form") {
    for {
      (one, other) <- alike
      (cached, query) <- Seq(one -> other, other -> one)
      more = Seq("SELECT *, rand(7) < 2 FROM (%s)", s"WITH v AS (%s) ${both("v")}")
      above <- "(%s)" +: more.filter(_ => cached == union || query == union)
    } same { files =>
      cache(cached)
      files.write(fresh)
      read(above.format(query))
    }
  }

  test("cached rows are older than the files") {
    for (form <- forms) same { files =>
      cache(form)
      files.write(fresh)
      read(form)
    }
  }

  test("a view that a cached query reads is uncached, altered or refreshed") {
    for (change <- Seq("UNCACHE TABLE w", "ALTER VIEW w AS SELECT * FROM q WHERE a > 1", ""))
      same { files =>
        sql("CREATE TABLE q USING parquet AS SELECT * FROM p")
        sql("CREATE VIEW w AS SELECT * FROM q WHERE a > 0")
        try {
          val query = "SELECT * FROM w UNION ALL SELECT * FROM q WHERE a <= 0"
          if (SieveConf.setopEnabled(spark.sessionState.conf))
            assert(verdicts("ReplaceUnionWithFilter")(sql(query)) == Seq(None))
          cache(query)
          if (change.startsWith("UNCACHE")) sql("CACHE TABLE w")
          files.write(fresh)
          if (change.isEmpty) sql("INSERT INTO q SELECT * FROM p") else sql(change)
          read(query)
        } finally {
          sql("DROP VIEW w")
          sql("DROP TABLE q")
        }
      }
  }
}
