// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.plans.logical.Join

import io.sparksieve.bulkfilter.load.KeysTooLargeException

/**
 * Values over the memory cap are joined, and give the same rows as sets in memory at every position
 * of a query; or planning fails with an error.
 */
class JoinFormSuite extends BulkFilterTest {

  private def f = s"'$dir/fives'"
  private def g = s"'$dir/evens'"
  private def p = s"'$dir/pairs'"

  override def beforeAll(): Unit = {
    super.beforeAll()
    folder("fives", "parquet", sql("SELECT cast(id * 5 % 997 AS INT) AS c FROM range(600)"))
    folder(
      "evens",
      "parquet",
      sql("SELECT cast(id * 2 AS INT) AS c FROM range(200) UNION ALL SELECT NULL"))
    folder(
      "pairs",
      "parquet",
      sql("SELECT cast(id % 7 AS INT) AS b, cast(id * 3 AS INT) AS n FROM range(40)"))
    sql(
      "SELECT id, cast(id % 5 AS INT) AS b, if(id % 3 = 0, 'x', cast(id AS STRING)) AS t, " +
        "array(cast(id AS INT), cast(id + 1 AS INT)) AS a, " +
        "if(id % 4 = 0, NULL, cast(id AS INT)) AS n FROM range(60)").write.saveAsTable("some")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS some")
    finally super.afterAll()

  private def beyond[T](body: => T): T =
    withConf("spark.sieve.bulkFilter.maxLeafBytes" -> "100")(body)

  private def rows(df: DataFrame): Either[Throwable, Seq[String]] =
    Try(df.collect()) match {
      case Success(found) => Right(found.map(_.toString).toSeq.sorted)
      case Failure(e) => Left(e)
    }

  private def joins(df: DataFrame) =
    df.queryExecution.optimizedPlan.collectWithSubqueries { case j: Join => j }.size

  private def modes[T](body: => T): Unit = for {
    (broadcast, codegen) <- Seq("10MB" -> true, "-1" -> false)
  } withConf(
    "spark.sql.shuffle.partitions" -> "2",
    "spark.sql.ansi.enabled" -> "true",
    "spark.sql.autoBroadcastJoinThreshold" -> broadcast)(withCodegen(codegen)(body))

  /** Asserts that both forms return the same rows, and that the form over the cap has joins. */
  private def assertServed(query: String): Unit = modes {
    val inMemory = sql(query)
    val expected = rows(inMemory).fold(e => fail(s"$query in memory", e), identity)
    beyond {
      val joined = sql(query)
      assert(rows(joined) == Right(expected), query)
      assert(joins(joined) > joins(inMemory), query)
    }
  }

  /** Asserts that planning fails over the cap, and that the query returns rows below the cap. */
  private def assertRefused(query: String, why: String): Unit = modes {
    rows(sql(query)).left.foreach(e => fail(s"$query in memory", e))
    beyond {
      val e = withClue(query) {
        intercept[KeysTooLargeException](sql(query).queryExecution.optimizedPlan)
      }
      val wanted = Seq(
        why,
        "take more memory than allowed",
        "spark.sieve.bulkFilter.maxLeafBytes (now 100.0 B)",
        "KiB in")
      wanted.foreach(text => assert(e.getMessage.contains(text), s"$query: ${e.getMessage}"))
    }
  }

  test("a key that can fail is computed for no row that what is written before it drops") {
    val fails = s"in_file(10 div b, $f)"
    assertServed(s"SELECT id FROM some WHERE b <> 0 AND $fails")
    assertServed(s"SELECT id FROM some WHERE b <> 0 AND NOT $fails")
    assertServed(s"SELECT id FROM some WHERE in_file(b - 1, $g) AND $fails")
    assertServed(s"SELECT id FROM some WHERE in_file(b - 1, $g) AND NOT $fails")
    assertServed(s"SELECT id FROM some WHERE NOT in_file(b, $g) AND $fails AND in_file(n, $g)")
    assertServed(s"SELECT id FROM some WHERE (b = 1 OR in_file(b, $g) AND b <> 0) AND $fails")
    assertServed(s"SELECT id FROM some WHERE t <> 'x' AND in_file(CAST(t AS INT), $f)")
    assertServed(
      s"SELECT id FROM some WHERE t <> 'x' AND in_file(CAST(t AS INT), $g) AND NOT in_file(CAST(t AS INT), $f)")
    assertServed(
      s"SELECT x.id FROM some x JOIN some y ON x.id = y.id + 1 AND y.b <> 0 AND in_file(10 div y.b + x.b, $f)")
    assertServed(
      s"SELECT x.id, y.id FROM some x LEFT JOIN some y ON x.id = y.id + 1 AND y.b <> 0 AND in_file(10 div y.b, $f)")
  }

  test("a predicate that can fail is evaluated for no row that a leaf before it drops") {
    for (fails <- Seq(
        "10 div (b - 1) > 0",
        "10 div (b - 1) > 0 AND CAST(t AS INT) > 5 * (b - 1)")) {
      assertServed(s"SELECT id FROM some WHERE t <> 'x' AND in_file(b, $g) AND $fails")
      assertServed(
        s"SELECT id FROM some WHERE t <> 'x' AND in_file(b, $g) AND $fails AND NOT in_file(n, $f)")
      assertServed(
        s"SELECT id FROM some WHERE t <> 'x' AND (in_file(b, $g) OR in_file((b, n), $p) AND b <> 1) AND $fails AND in_file(id, $f)")
      assertServed(
        s"SELECT id FROM some WHERE t <> 'x' AND in_file(b, $g) AND ($fails OR in_file(n, $f))")
      assertServed(
        s"SELECT id FROM some WHERE t <> 'x' AND in_file(100 div (b + 1), $g) AND b <> 1 AND $fails")
      assertServed(
        s"SELECT x.id FROM some x JOIN some y ON x.t <> 'x' AND x.id = y.id AND in_file(x.b + y.b, $g) AND " +
          fails.replace("(b", "(x.b").replace("CAST(t", "CAST(x.t").replace("x.b - 1", "x.b - 6"))
    }
  }

  test("a key that can fail is refused where not every row evaluates it") {
    val fails = s"in_file(10 div b, $f)"
    def assertGuarded(query: String): Unit =
      assertRefused(query, "its key (10L div CAST")
    assertGuarded(s"SELECT id FROM some WHERE b = 0 OR $fails")
    assertGuarded(s"SELECT id, CASE WHEN b <> 0 THEN $fails END FROM some")
    assertGuarded(s"SELECT id, if(b = 0, NULL, $fails) FROM some")
    assertGuarded(s"SELECT id, coalesce(if(b = 0, true, NULL), $fails) FROM some")
    assertGuarded(s"SELECT sum(id) FILTER (WHERE b <> 0 AND $fails) FROM some")
    assertGuarded(s"SELECT id FROM some ORDER BY b <> 0 AND $fails, id")
    assertGuarded(s"SELECT id, row_number() OVER (ORDER BY b <> 0 AND $fails, id) FROM some")
    assertGuarded(
      s"SELECT x.id, y.id FROM some x LEFT JOIN some y ON x.id = y.id AND x.b <> 0 AND in_file(10 div x.b, $f)")
  }

  test("every other position with a key that cannot fail") {
    val (x, y) = (s"in_file(n, $f)", s"in_file(b, $g)")
    Seq(
      s"SELECT id, $x, NOT $y, $x AND $y, $x OR NOT $y, $x IS NULL, coalesce($x, false) FROM some",
      s"SELECT id, CASE WHEN $x THEN 1 WHEN $y THEN 10 div (b - 1) END FROM some",
      s"SELECT id, if($x, 'in', if($y, 'y', NULL)) FROM some WHERE $x OR $y",
      s"SELECT id, in_file((b, n), $p) FROM some WHERE NOT in_file((n, b), $p) OR b = 3",
      s"SELECT id FROM some WHERE $x = $y",
      s"SELECT x.id, y.id FROM some x LEFT JOIN some y ON in_file(x.n, $f) AND in_file(y.b, $g)",
      s"SELECT id FROM some WHERE NOT ($x OR NOT $y)",
      s"SELECT b, count(*) FROM some GROUP BY b HAVING in_file(max(n), $f) OR in_file(b, $g)",
      s"SELECT $y, count(*), count(DISTINCT n) FILTER (WHERE $x), sum(DISTINCT id) FROM some GROUP BY $y",
      s"SELECT $y, count(*) FROM some GROUP BY ROLLUP ($y, b)",
      s"SELECT id, row_number() OVER (PARTITION BY $x ORDER BY $y, id) FROM some",
      s"SELECT id, sum(if($x, 1, 0)) OVER (ORDER BY id) FROM some",
      s"SELECT id FROM some ORDER BY $x, id",
      s"SELECT id FROM some DISTRIBUTE BY $x",
      s"SELECT id, transform(a, v -> v + if($y, 1, 0)) FROM some",
      s"SELECT id FROM some WHERE id IN (SELECT id FROM cars WHERE in_file(code, $f))",
      s"SELECT id FROM some WHERE id NOT IN (SELECT id FROM cars WHERE in_file(code, $f))",
      s"SELECT id FROM some s WHERE EXISTS (SELECT 1 FROM cars c WHERE c.id = s.id AND in_file(c.code, $f))",
      s"SELECT id, (SELECT max(in_file(c.code, $f)) FROM cars c WHERE c.id = s.id) FROM some s",
      s"SELECT id, v FROM some s, LATERAL (SELECT max(c.id) AS v FROM cars c WHERE c.id = s.id AND in_file(c.code, $f))",
      s"SELECT id, v FROM some s, LATERAL (SELECT in_file(s.n, $f) AS v)",
      s"SELECT id FROM some WHERE in_file((SELECT max(code) FROM cars WHERE code < 11), $f)",
      s"SELECT id, in_file(4, $g), in_file(5, $g), in_file(CAST(NULL AS INT), $g) FROM some",
      s"SELECT id FROM some WHERE in_file(4, $g) AND NOT in_file(5, $g)",
      s"SELECT id FROM some WHERE $x UNION ALL SELECT id FROM some WHERE NOT $y",
      s"SELECT id FROM some WHERE $x EXCEPT SELECT id FROM some WHERE NOT $y",
      s"WITH w AS (SELECT id, n FROM some WHERE $x) SELECT * FROM w WHERE id IN (SELECT id FROM w) AND in_file(id, $g)",
      s"SELECT rand() >= 0, id FROM some WHERE $x",
      s"SELECT size(collect_list(id)), first(id) > 0 FROM some WHERE $x",
      s"SELECT id FROM some WHERE rand(7) < 0.5 AND $x",
      s"SELECT id FROM some WHERE input_file_name() LIKE '%part%' AND $x"
    ).foreach(assertServed)
  }

  test("joins of every type") {
    for {
      kind <- Seq(
        "JOIN",
        "LEFT JOIN",
        "RIGHT JOIN",
        "FULL JOIN",
        "LEFT SEMI JOIN",
        "LEFT ANTI JOIN")
      condition <- Seq(
        s"in_file(x.n, $f) AND in_file(y.b, $g)",
        s"in_file(x.n, $f) AND NOT in_file(y.n, $g)",
        s"(in_file(x.n, $f) OR in_file(y.n, $g))",
        s"coalesce(in_file(x.n, $f), NOT in_file(y.n, $f))",
        s"in_file((x.n, x.b), $p) IS NULL AND in_file((y.b, y.n), $p) IS NOT NULL"
      )
    } {
      val out = if (kind.contains("SEMI") || kind.contains("ANTI")) "x.id" else "x.id, y.id"
      assertServed(s"SELECT $out FROM some x $kind some y ON x.id = y.id + 1 AND $condition")
    }
  }

  test("keys that are no columns of the rows, or of those of both sides, are refused") {
    assertRefused(s"SELECT exists(a, v -> in_file(v, $f)) FROM some", "an element of an array")
    assertRefused(s"SELECT id FROM some WHERE exists(a, v -> in_file(v, $f))", "an element")
    assertRefused(s"SELECT filter(a, v -> NOT in_file(v + n, $f)) FROM some", "an element")
    assertRefused(
      s"SELECT id FROM some s WHERE EXISTS (SELECT 1 FROM cars c WHERE c.id = s.id AND in_file(s.n, $f))",
      "outer query")
    assertRefused(
      s"SELECT id FROM some s WHERE NOT EXISTS (SELECT 1 FROM cars c WHERE c.id = s.id AND (in_file(s.n, $f) OR c.code > 3))",
      "outer query")
    assertRefused(
      s"SELECT id FROM some s WHERE id NOT IN (SELECT id FROM cars c WHERE in_file(s.n, $f))",
      "outer query")
    assertRefused(
      s"SELECT id, v FROM some LATERAL VIEW explode(array(in_file(n, $f))) AS v",
      "Generate")
    assertRefused(s"SELECT stack(2, in_file(n, $f), true) FROM some", "Generate")
    for (kind <- Seq("LEFT", "RIGHT", "FULL"))
      assertRefused(
        s"SELECT x.id FROM some x $kind JOIN some y ON x.id = y.id AND in_file(coalesce(x.n, y.n), $f)",
        "both sides")
    assertRefused(
      s"SELECT id FROM some WHERE in_file(if(in_file(n, $f), 1, 2), $g) OR id = 1",
      "its key")
  }

  test("what depends on order or partitions of the rows is not above a join") {
    val x = s"in_file(n, $f)"
    assertRefused(s"SELECT in_file(CAST(rand(3) * 100 AS INT), $f) FROM some", "not deterministic")
    for (rows <- Seq("some ORDER BY n, id", "some ORDER BY id LIMIT 9")) {
      assertRefused(s"SELECT id, in_file(b, $f) AS x FROM (SELECT * FROM $rows)", "ORDER BY")
      assertRefused(
        s"SELECT id, in_file(b, $f) AS x FROM (SELECT * FROM $rows) LIMIT 5",
        "ORDER BY")
    }
    assertRefused(
      s"SELECT id FROM some WHERE in_file(CAST(rand(3) * 100 AS INT), $f)",
      "not deterministic")
    for (e <- Seq(
        "rand(3)",
        "monotonically_increasing_id()",
        "spark_partition_id()",
        "input_file_name()")) {
      assertRefused(s"SELECT id, $e FROM some WHERE $x", "order or partitions")
      assertRefused(s"SELECT id, $e, $x FROM some", "order or partitions")
      assertRefused(s"SELECT id FROM some WHERE $x AND length($e) > 1", "order or partitions")
    }
    assertRefused(
      s"SELECT id FROM (SELECT id FROM some WHERE $x) TABLESAMPLE (50 PERCENT) REPEATABLE (7)",
      "order or partitions")
  }

  test("values of a view whose columns are aliases of its table's") {
    sql(s"SELECT * FROM parquet.`$dir/fives`").createOrReplaceTempView("fives")
    sql(s"SELECT * FROM parquet.`$dir/pairs`").createOrReplaceTempView("pairs")
    sql("CREATE OR REPLACE TEMPORARY VIEW aliased AS SELECT c AS c FROM fives WHERE c > 2")
    sql("CREATE OR REPLACE TEMPORARY VIEW two AS SELECT b AS b, n AS n FROM pairs")
    assertServed("SELECT id FROM some WHERE in_table(n, 'aliased.c')")
    assertServed(
      "SELECT id, in_table(b, 'aliased.c') AS x FROM some WHERE in_table(n, 'aliased.c')")
    assertServed("SELECT id FROM some WHERE NOT in_table((b, n), 'two')")
  }

  test("a source that may have other rows each time is read once, or refused") {
    sql("SELECT cast(id % 7 AS INT) AS b, cast(id * 3 AS INT) AS n FROM range(40)")
      .createOrReplaceTempView("unstable")
    beyond {
      val e = intercept[KeysTooLargeException](
        sql("SELECT in_table((b, n), 'unstable') FROM some").queryExecution.optimizedPlan)
      assert(e.getMessage.contains("several joins would read"), e.getMessage)
    }
    assertServed(
      "SELECT id, in_table(b, 'unstable.n') FROM some WHERE in_table((b, n), 'unstable')")
  }
}
