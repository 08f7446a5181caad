// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.internal.SQLConf

/**
 * Spark evaluates `cast(id AS TINYINT)` while it plans a query with `id = 300`, and fails under
 * ANSI mode, although no row has this id. A query whose sides do not meet in one filter without
 * Sieve must not fail so with Sieve.
 */
class FoldedConstantsSuite extends SetOpTest {

  override protected def sparkConf = super.sparkConf.set(SQLConf.ANSI_ENABLED.key, "true")

  private val columns = "id, b, c, s"

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("""CREATE TABLE f USING parquet AS SELECT * FROM VALUES
      (1L, 0, 1, '1'), (2L, 5, 2, '2'), (2L, 5, NULL, '2') AS f(id, b, c, s)""")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS f")
    finally super.afterAll()

  private val product = "id * 9223372036854775807 <> 5"

  /** Conditions that fail for no row of the table, but for the value that a fixing one names. */
  private val fallible = Seq(
    "cast(id AS TINYINT) > 1",
    "c > 0 AND cast(id AS TINYINT) > 1",
    s"try_multiply(id, 9223372036854775807) IS NOT NULL AND $product",
    "cast(s AS INT) > 1"
  )

  /** Conditions from which Spark's optimizer learns the value of a column. */
  private val fixing = Seq(
    "id = 300",
    "NOT (id <> 300)",
    "id = b AND b = 300",
    "id IN (300)",
    "s LIKE 'x'",
    "NOT (s <> 'x')"
  )

  /** Not EXCEPT, which Spark itself makes one filter, so that many of these queries fail. */
  private val operations = Seq("EXCEPT ALL", "INTERSECT", "INTERSECT ALL")

  private def operation(i: Int) = operations(i % operations.size)

  private def side(filter: String) = s"SELECT $columns FROM f WHERE $filter"

  private def allButFew(queries: Seq[String]): Unit = {
    val compared = queries.count(sameOrBothFail)
    assert(compared * 3 >= queries.size, s"$compared of ${queries.size} do not fail without Sieve")
  }

  for (f <- fallible) {
    test(s"one side fixes a column, the other has $f") {
      allButFew(for {
        (op, i) <- operations.zipWithIndex
        (g, k) <- fixing.zipWithIndex
      } yield if ((i + k) % 2 == 0) s"${side(f)} $op ${side(g)}" else s"${side(g)} $op ${side(f)}")
    }

    test(s"a filter above fixes a column of $f") {
      allButFew(for ((g, i) <- fixing.zipWithIndex)
        yield s"SELECT * FROM (${side("c > 0 OR c IS NULL")} ${operation(i)} ${side(f)}) WHERE $g")
    }
  }

  test("a fixed column of a computed one") {
    def computed(filter: String) = s"SELECT cast(id AS TINYINT) x, id FROM f WHERE $filter"
    allButFew(for {
      op <- operations
      query <- Seq(
        s"${computed("id = 300")} $op ${computed("cast(id AS TINYINT) > 1")}",
        s"SELECT * FROM (${computed("id > 0")} $op ${computed("NOT (id <> 300)")}) WHERE x > 0",
        s"SELECT * FROM (${computed("id > 0")} $op ${computed("cast(id AS TINYINT) > 1")}) WHERE id = 300"
      )
    } yield query)
  }

  test("IN, EXISTS and their negations") {
    allButFew(
      for ((g, i) <- fixing.zipWithIndex; (f, k) <- fallible.zipWithIndex)
        yield s"""
      SELECT * FROM f l WHERE $g AND ${if ((i + k) % 2 == 0) "" else "NOT"} EXISTS (
        SELECT 1 FROM f r WHERE $f AND r.id <=> l.id AND r.b <=> l.b AND r.c <=> l.c AND r.s <=> l.s)""")
  }

  private val small = "cast(id AS TINYINT) > 0"

  test("a condition that a rewrite adds fixes a column for what is above, beside or below") {
    withTempView("n", "w", "nw") {
      sql("CREATE TEMPORARY VIEW n AS SELECT id, id AS k FROM range(1, 4)")
      sql(s"CREATE TEMPORARY VIEW w AS SELECT * FROM f WHERE $small")
      sql(s"CREATE TEMPORARY VIEW nw AS SELECT * FROM n WHERE $small")
      val one = s"SELECT $columns FROM f INTERSECT ${side("id = 300")}"
      allButFew(Seq(
        s"SELECT * FROM ($one) WHERE $small",
        s"SELECT q.id FROM ($one) l JOIN f q ON l.id = q.id WHERE cast(q.id AS TINYINT) > 0",
        s"SELECT * FROM (SELECT * FROM f l LEFT SEMI JOIN (SELECT * FROM f WHERE id = 300) r ON l.id <=> r.id) WHERE $small",
        s"SELECT * FROM (SELECT $columns FROM f EXCEPT ALL ${side("NOT (id <=> 300)")}) WHERE $small",
        s"SELECT * FROM (SELECT * FROM n EXCEPT ALL SELECT * FROM n WHERE id <> 300) WHERE $small",
        s"SELECT * FROM (SELECT $columns FROM f INTERSECT ${side("id = b")}) WHERE b = 300 AND $small",
        s"SELECT * FROM ($one) LATERAL VIEW explode(array(10 div (id - 300))) AS x",
        s"SELECT * FROM n l WHERE $small AND NOT EXISTS (SELECT 1 FROM n r WHERE r.id = l.id AND r.id <> 300)",
        s"SELECT * FROM n WHERE $small AND id NOT IN (SELECT id FROM n WHERE id <> 300)",
        s"SELECT * FROM f l WHERE $small AND (EXISTS (SELECT 1 FROM f r WHERE r.id <=> l.id AND r.id = 300) OR s = 'x')",
        "SELECT * FROM w EXCEPT ALL SELECT * FROM w WHERE NOT (id <=> 300)",
        "SELECT * FROM nw EXCEPT ALL SELECT * FROM nw WHERE id <> 300",
        "SELECT * FROM nw l WHERE NOT EXISTS (SELECT 1 FROM nw r WHERE r.id = l.id AND r.id <> 300)"
      ))
    }
  }

  test("below a common source, a column is another one") {
    withTempView("j", "e", "g") {
      sql(
        "CREATE TEMPORARY VIEW j AS SELECT f.*, i FROM f JOIN (SELECT id AS i FROM f) ON f.id = i")
      sql("CREATE TEMPORARY VIEW e AS SELECT * FROM f WHERE id = b + 0")
      sql("CREATE TEMPORARY VIEW g AS SELECT id, id AS i, count(*) AS n FROM f GROUP BY id")
      allButFew(Seq(
        "SELECT * FROM j WHERE cast(i AS TINYINT) > 0 INTERSECT ALL SELECT * FROM j WHERE id = 300",
        "SELECT * FROM e WHERE cast(b AS TINYINT) > 0 INTERSECT ALL SELECT * FROM e WHERE id = 300",
        "SELECT * FROM g WHERE cast(i AS TINYINT) > 0 INTERSECT ALL SELECT * FROM g WHERE id = 300",
        "SELECT * FROM g WHERE cast(i AS TINYINT) > 0 EXCEPT ALL SELECT * FROM g WHERE NOT (id <=> 300)",
        "SELECT * FROM (SELECT * FROM g INTERSECT SELECT * FROM g WHERE cast(n AS TINYINT) > 0) WHERE n = 300"
      ))
    }
  }

  test("Spark evaluates nothing of a condition that it simplifies") {
    withTable("x") {
      sql("CREATE TABLE x USING parquet AS SELECT * FROM VALUES (1L, '1'), (3L, 'x') AS x(id, s)")
      allButFew(for {
        op <- "EXCEPT" +: operations
        filter <- Seq(
          "cast(s AS INT) > 1 AND id = 3 AND id * 2 = 5",
          "cast(s AS INT) > 1 AND NOT (cast(s AS INT) > 1)",
          "(cast(s AS INT) > 1 OR id = 3) AND id = 3",
          "if(cast(s AS INT) > 1, FALSE, NULL)"
        )
      } yield s"SELECT id, s FROM x $op SELECT id, s FROM x WHERE $filter")
    }
  }

  test("Spark infers conditions for the other side of a join") {
    withTable("q") {
      sql("CREATE TABLE q USING parquet AS SELECT * FROM VALUES (0L), (1L) AS q(k)")
      val guarded = side("10 div id > 0")
      allButFew(for {
        op <- operations
        join <- Seq("JOIN q ON l.id = k", "LEFT JOIN q ON l.id = k", "LEFT SEMI JOIN q ON l.id = k")
      } yield s"SELECT * FROM (SELECT $columns FROM f $op $guarded) l $join")
    }
  }

  test("one scan for other rows, or in another order") {
    withTable("u") {
      // Only the right side has the row that fails, and NULL in c.
      sql("""CREATE TABLE u USING parquet AS SELECT * FROM VALUES
        (1L, 0, 1, '1'), (300L, 5, 2, '22'), (2L, 1, NULL, 'x') AS u(id, b, c, s)""")
      val left = "SELECT id FROM u WHERE b < 3"
      val right = "SELECT id FROM u WHERE c > 1"
      allButFew(
        Seq(
          s"SELECT * FROM ($left EXCEPT $right) WHERE $small",
          s"SELECT * FROM ($left INTERSECT $right) WHERE $small",
          s"SELECT f.* FROM ($left INTERSECT $right) l JOIN f ON f.id = l.id WHERE cast(l.id AS TINYINT) > 0",
          "SELECT s FROM (SELECT * FROM u WHERE c > 5 UNION SELECT * FROM u WHERE c <= 5) WHERE cast(s AS INT) > 0",
          "SELECT s FROM (SELECT * FROM u WHERE c > 5 UNION ALL SELECT * FROM u WHERE c <= 5) WHERE cast(s AS INT) > 0"
        ))
    }
  }

  test("a lateral join, a generator and a subquery") {
    withTempView("n") {
      sql("CREATE TEMPORARY VIEW n AS SELECT id, id AS k FROM range(1, 4)")
      val one = "SELECT * FROM n EXCEPT ALL SELECT * FROM n WHERE id <> 300"
      allButFew(Seq(
        s"SELECT a.* FROM ($one) a JOIN LATERAL (SELECT a.id AS x) l ON cast(a.id AS TINYINT) > 0",
        s"SELECT id, explode(v) FROM (SELECT *, array(cast(id AS TINYINT)) AS v FROM ($one))",
        s"SELECT id, explode(v) FROM (SELECT *, sequence(1, 10 div (id - 300)) AS v FROM ($one))",
        s"SELECT * FROM ($one) l WHERE (SELECT 10 div (l.id - 300)) > 0"
      ))
    }
  }
}
