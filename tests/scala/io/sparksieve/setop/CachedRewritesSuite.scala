// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.LogicalRelation

import io.sparksieve.conf.SieveConf

/**
 * A query that was cached in its rewritten form is read from the cache, also where Sieve would not
 * rewrite it.
 */
class CachedRewritesSuite extends SetOpTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("""CREATE TABLE p USING parquet AS SELECT * FROM VALUES
      (0, 1, 0.5D), (1, 2, 1.5D), (2, 0, 2.5D), (3, 3, 9.0D), (-4, 1, 7.5D) AS p(a, b, d)""")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS p")
    finally super.afterAll()

  private val semi = """SELECT l.* FROM p AS l LEFT SEMI JOIN (SELECT * FROM p WHERE a > 0) AS r
    ON l.a <=> r.a AND l.b <=> r.b AND l.d = r.d"""
  private val union = "SELECT * FROM p WHERE a > 0 UNION ALL SELECT * FROM p WHERE a <= 0"

  /** Queries to cache; the last is rewritten like its first two sides alone. */
  private val forms = Seq(
    semi,
    union,
    s"WITH w AS ($semi) SELECT * FROM w",
    Seq.fill(3)("SELECT * FROM p WHERE a > 0").mkString(" UNION "))

  /**
   * Asserts that `query`, which reads the view `v`, reads what it reads without Sieve if the view is
   * cached: only the cache. Spark itself does not find a query with definitions that is read within
   * a definition, because it numbers the definitions of a query.
   */
  private def readsCache(query: => DataFrame): Unit = withoutCounting {
    for (form <- forms) withTempView("v") {
      sql(form).createOrReplaceTempView("v")
      def leaves: Seq[String] = {
        // A new DataFrame: it would keep its first plan.
        val v = sql(form).cache()
        try {
          val plan = query.queryExecution.withCachedData
          plan.collectWithSubqueries { case leaf @ (_: LogicalRelation | _: InMemoryRelation) =>
            leaf.nodeName
          }
        } finally v.unpersist(blocking = true)
      }
      val expected = withConf(SieveConf.ENABLED.key -> "false") {
        leaves
      }
      assert(leaves == expected, form)
      if (form == semi) assert(expected.nonEmpty && expected.forall(_ == "InMemoryRelation"))
      checkAnswer(query, off(query))
    }
  }

  // Spark may replace this EXCEPT by a filter.
  private def both(v: String) =
    s"SELECT * FROM $v WHERE d > 1.0D EXCEPT SELECT * FROM $v WHERE d <= 5.0D"

  test("below a row id") {
    readsCache(sql("SELECT monotonically_increasing_id() >= 0 AS i, * FROM v"))
    readsCache(sql("SELECT spark_partition_id() >= 0 AS i, a FROM (SELECT DISTINCT a FROM v)"))
  }

  test("as it was cached") {
    readsCache(sql("SELECT a, b FROM v WHERE d > 0"))
  }

  test("in a definition that is read below a row id") {
    readsCache(sql("""WITH u AS (SELECT a, b + 1 AS b FROM v WHERE d > 0)
      SELECT monotonically_increasing_id() >= 0 AS i, * FROM u"""))
  }

  test("in the sides of an EXCEPT") {
    readsCache(sql(both("v")))
    readsCache(sql(both("(SELECT DISTINCT * FROM v) AS x")))
  }

  test("in a definition that such an EXCEPT reads") {
    readsCache(sql(s"WITH u AS (SELECT * FROM v WHERE a < 9) ${both("u")}"))
    readsCache(sql(s"WITH x AS (SELECT * FROM v), u AS (SELECT * FROM x) ${both("u")}"))
  }

  test("in a subquery of what is left alone") {
    readsCache(sql("""WITH u AS (SELECT a FROM VALUES (1), (7) AS x(a) WHERE a IN (SELECT a FROM v))
      SELECT rand(7) < 2 AS i, * FROM u"""))
  }

  test("far above a row id, where nothing is cached") {
    val other = spark.table("t").cache()
    try {
      sql(s"WITH w AS ($union) SELECT rand(7) < 2 AS i, * FROM w").createOrReplaceTempView("v")
      val deep = (1 to 30).foldLeft("v")((below, i) => s"(SELECT * FROM $below WHERE a > -$i - 9)")
      val query = s"SELECT * FROM $deep"
      checkAnswer(sql(query), off(sql(query)))
    } finally {
      spark.catalog.dropTempView("v")
      other.unpersist(blocking = true)
    }
  }
}
