// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, LeftAnti, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.Join

import io.sparksieve.bulkfilter.load.{KeySetCache, KeysTooLargeException}
import io.sparksieve.report.core.Reason

/** Values over the memory caps become joins with the same rows. */
class LargeKeysSuite extends BulkFilterTest {

  private lazy val ids = folder("ids", "parquet", sql("SELECT id * 3 AS id FROM range(1000)"))
  private lazy val codes =
    folder(
      "codes",
      "parquet",
      sql("SELECT cast(id * 2 AS INT) AS c FROM range(200) UNION ALL SELECT NULL"))
  private lazy val colours =
    folder("colours", "parquet", sql("SELECT concat('colour ', id) AS c FROM range(0, 900, 2)"))
  private lazy val pairs =
    folder(
      "pairs",
      "parquet",
      sql(
        "SELECT concat('colour ', id % 9) AS c, cast(id % 500 AS INT) AS n FROM range(0, 2000, 7)"))

  /** Asserts the same rows with and without a cap, and the kinds of joins with the cap. */
  private def assertJoined(query: String, kinds: Any*): Unit = {
    val expected = sql(query).collect().toSeq
    withConf("spark.sieve.bulkFilter.maxLeafBytes" -> "100") {
      val df = sql(query)
      val joins = df.queryExecution.optimizedPlan.collectWithSubqueries { case j: Join =>
        j.joinType
      }
      val found = joins.map { case ExistenceJoin(_) => "exists"; case other => other }
      assert(kinds.forall(found.contains), s"$found\n${df.queryExecution.optimizedPlan}")
      checkAnswer(df, expected)
    }
  }

  test("top-level leaves become semi- and anti-joins") {
    assertJoined(s"SELECT * FROM cars WHERE in_file(id, '$ids') AND brand = 'brand 3'", LeftSemi)
    assertJoined(s"SELECT * FROM cars WHERE NOT in_file(code, '$codes')", LeftAnti)
    assertJoined(s"SELECT * FROM cars WHERE in_file((colour, code), '$pairs')", LeftSemi)
    assertJoined(
      s"SELECT count(*) FROM cars WHERE in_file(id, '$ids') AND NOT in_file(colour, '$colours') " +
        s"AND in_table(code, 'parquet.`$codes`.c')",
      LeftSemi,
      LeftAnti
    )
  }

  test("everywhere else a column says whether there is a partner") {
    assertJoined(s"SELECT id, code, in_file(code, '$codes') FROM cars", "exists")
    assertJoined(
      s"SELECT * FROM cars WHERE in_file(id, '$ids') OR NOT in_file(code, '$codes')",
      "exists")
    assertJoined(
      s"SELECT CASE WHEN in_file(colour, '$colours') THEN 1 WHEN code > 5 THEN 2 END FROM cars",
      "exists")
    assertJoined(s"SELECT *, in_file((colour, code), '$pairs') FROM cars", "exists")
    assertJoined(s"SELECT * FROM cars WHERE NOT in_file((colour, code), '$pairs')", "exists")
    assertJoined(
      s"SELECT in_file(code, '$codes') AS f, count(*), sum(if(in_file(id, '$ids'), 1, 0)) FROM cars " +
        s"GROUP BY in_file(code, '$codes')",
      "exists")
    assertJoined(
      s"SELECT colour, in_file(max(id), '$ids') FROM cars GROUP BY colour HAVING in_file(min(id), '$ids') IS NOT NULL",
      "exists")
    assertJoined(s"SELECT id FROM cars ORDER BY in_file(code, '$codes'), id", "exists")
    assertJoined(
      s"SELECT a.id, b.id FROM cars a JOIN cars b ON a.id = b.id + 1 AND (in_file(a.code, '$codes') OR in_file(if(a.id > b.id, a.id, b.id), '$ids'))",
      "exists"
    )
    assertJoined(
      s"SELECT a.id, b.id FROM cars a LEFT JOIN cars b ON a.id = b.id + 1 AND (in_file(a.code, '$codes') OR in_file(b.id, '$ids'))",
      "exists")
  }

  test("the report says so, and each value counts once") {
    withConf("spark.sieve.bulkFilter.maxLeafBytes" -> "100") {
      val said = verdicts(sql(s"SELECT * FROM cars WHERE in_file(id, '$ids')"))
      assert(said.exists(_.reason.contains(Reason.OverMemoryCap)), said)
    }
    // Each set fits alone, but not both together: the smaller one stays in memory.
    withConf("spark.sieve.bulkFilter.maxQueryBytes" -> "500") {
      val df = sql(s"SELECT * FROM cars WHERE in_file(id, '$ids') AND in_file(code, '$codes')")
      val joins = df.queryExecution.optimizedPlan.collect { case j: Join => j }
      assert(joins.size == 1, df.queryExecution.optimizedPlan)
      checkAnswer(df, sql("SELECT * FROM cars WHERE id % 3 = 0 AND code % 2 = 0 AND code < 400"))
    }
  }

  test("the sets that keys of several columns with NULLs use count") {
    def joins(key: String, most: Int) =
      withConf("spark.sieve.bulkFilter.maxQueryBytes" -> most.toString) {
        val df = sql(s"SELECT * FROM cars WHERE in_file(($key), '$pairs')")
        checkAnswer(
          df,
          sql(
            s"SELECT * FROM cars LEFT SEMI JOIN parquet.`$pairs` p " +
              "ON cars.colour = p.c AND cars.code = p.n"))
        df.queryExecution.optimizedPlan.collect { case j: Join => j }.size
      }
    KeySetCache(spark).clear()
    joins("colour, code", 1 << 30)
    val bytes = KeySetCache(spark).bytes.toInt
    // Three sets: of the whole rows, and of each of the two columns alone.
    assert(joins("colour, code", bytes * 3 - 1) == 1)
    assert(joins("colour, code", bytes * 3) == 0)
    assert(joins("coalesce(colour, ''), coalesce(code, -1)", bytes) == 0)
    assert(joins("colour, coalesce(code, -1)", bytes) == 1)
    assert(joins("colour, coalesce(code, -1)", bytes * 2) == 0)
  }

  test("a value that is none of the key's type fails in a join too") {
    val path = file("bad.csv", (1 to 2000).map(_.toString) :+ "x": _*)
    withConf("spark.sieve.bulkFilter.maxLeafBytes" -> "100") {
      val e = intercept[Exception](sql(s"SELECT * FROM cars WHERE in_file(id, '$path')").collect())
      assert(causes(e).exists(_.getMessage.contains("the value 'x' of column _c0")), e)
      checkAnswer(
        sql(s"SELECT * FROM cars WHERE in_file(id, '$path', map('invalid', 'skip'))"),
        sql("SELECT * FROM cars WHERE id BETWEEN 1 AND 2000"))
    }
  }

  test("rows that are values are not evaluated before it is known what fits") {
    withConf(
      "spark.sieve.bulkFilter.maxLeafBytes" -> "100",
      "spark.sql.optimizer.excludedRules" -> "") {
      checkAnswer(
        sql(
          s"SELECT x FROM VALUES (1), (3), (NULL) AS t(x) WHERE in_file(x, '$ids', map('invalid', 'skip'))"),
        sql("SELECT 3"))
    }
  }

  test("where no join can stand, the error says what to do") {
    withConf("spark.sieve.bulkFilter.maxLeafBytes" -> "100") {
      val e = intercept[KeysTooLargeException] {
        sql(s"SELECT * FROM cars a LEFT JOIN cars b ON in_file(a.id + b.id, '$ids')").collect()
      }
      assert(e.getMessage.contains("spark.sieve.bulkFilter.maxLeafBytes"), e)
    }
  }
}
