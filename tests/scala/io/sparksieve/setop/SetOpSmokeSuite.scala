// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import io.sparksieve.SieveTest

/** A short test of every rewrite, end to end, on Parquet, for every Spark line. */
class SetOpSmokeSuite extends SieveTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("""CREATE TABLE t USING parquet AS
      SELECT cast(id % 7 AS INT) a, cast(id % 5 AS INT) b,
             CASE WHEN id % 11 = 0 THEN NULL ELSE cast(id % 3 AS INT) END c
      FROM range(200)""")
  }

  test("EXCEPT") {
    assertOneScan("ReplaceExceptWithNotFilter") {
      sql("SELECT a, c FROM t WHERE b < 3 EXCEPT SELECT a, c FROM t WHERE c = 1")
    }
  }

  test("EXCEPT ALL") {
    assertOneScan("ReplaceExceptWithNotFilter") {
      sql("SELECT a, c FROM t WHERE b < 3 EXCEPT ALL SELECT a, c FROM t WHERE c = 1")
    }
  }

  test("a chain, and a UNION on the right") {
    assertOneScan("ReplaceExceptWithNotFilter") {
      sql(
        "SELECT a, c FROM t EXCEPT SELECT a, c FROM t WHERE c = 1 EXCEPT SELECT a, c FROM t WHERE a > 4")
    }
    assertOneScan("ReplaceExceptWithNotFilter") {
      sql("""SELECT a, c FROM t EXCEPT
        (SELECT a, c FROM t WHERE c = 1 UNION SELECT a, c FROM t WHERE a > 4)""")
    }
  }

  test("INTERSECT") {
    assertOneScan("ReplaceIntersectWithFilter") {
      sql("SELECT a, c FROM t WHERE b < 3 INTERSECT SELECT a, c FROM t WHERE c = 1")
    }
    assertOneScan("ReplaceIntersectWithFilter") {
      sql("SELECT a, c FROM t WHERE c = 1 INTERSECT SELECT a, c FROM t WHERE b < 3")
    }
  }

  test("INTERSECT ALL") {
    assertOneScan("ReplaceIntersectWithFilter") {
      sql("SELECT a, c FROM t WHERE b < 3 INTERSECT ALL SELECT a, c FROM t WHERE c = 1")
    }
    assertOneScan("ReplaceIntersectWithFilter") {
      sql("SELECT a, c FROM t WHERE c = 1 INTERSECT ALL SELECT a, c FROM t WHERE b < 3")
    }
  }

  test("UNION") {
    assertOneScan("ReplaceUnionWithFilter") {
      sql("SELECT a, c FROM t WHERE b < 3 UNION SELECT a, c FROM t WHERE c = 1")
    }
  }

  test("UNION ALL") {
    assertOneScan("ReplaceUnionWithFilter") {
      sql("SELECT a, c FROM t WHERE b < 3 UNION ALL SELECT a, c FROM t WHERE b >= 3")
    }
  }

  test("LEFT ANTI JOIN, NOT EXISTS and NOT IN") {
    val rule = "ReplaceAntiJoinWithNotFilter"
    assertOneScan(rule) {
      sql("SELECT * FROM t l LEFT ANTI JOIN (SELECT * FROM t WHERE c = 1) r ON l.c = r.c")
    }
    assertOneScan(rule) {
      sql("SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)")
    }
    assertOneScan(rule) {
      sql("SELECT * FROM t WHERE c IS NOT NULL AND c NOT IN (SELECT c FROM t WHERE c > 1)")
    }
  }

  test("LEFT SEMI JOIN, EXISTS and IN") {
    val rule = "ReplaceSemiJoinWithFilter"
    assertOneScan(rule) {
      sql("SELECT * FROM t l LEFT SEMI JOIN (SELECT * FROM t WHERE c = 1) r ON l.c = r.c")
    }
    assertOneScan(rule) {
      sql("SELECT * FROM t l WHERE EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)")
    }
    assertOneScan(rule) {
      sql("SELECT * FROM t WHERE c IN (SELECT c FROM t WHERE c > 1)")
    }
  }

  test("filters on columns that are not in the output are counted") {
    for (operation <- Seq("EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL")) {
      assertOneScan("ReplaceSetOpWithCounts") {
        sql(s"SELECT a, c FROM t WHERE b < 3 $operation SELECT a, c FROM t WHERE b = 1")
      }
    }
  }

  test("the report, over SQL") {
    val rows = sql("""SELECT rule, outcome, reason FROM sieve_report(
      'SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1')""").collect()
    assert(
      rows.map(_.mkString(" ")).toSeq ==
        Seq("ReplaceExceptWithNotFilter applied null", "parquet pushed, spark null"))
    val plans =
      sql("SELECT * FROM sieve_explain('SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1')")
    assert(plans.collect().length == 2)
    assert(sql("SELECT * FROM sieve_info()").collect().length >= 6)
  }

  test("the guard: an alias that shadows a column") {
    sql("CREATE TABLE s USING parquet AS SELECT * FROM VALUES (0, 1), (1, 2), (2, 0) AS s(a, b)")
    val rows = sql("SELECT b AS a, a AS b FROM s EXCEPT SELECT b AS a, a AS b FROM s WHERE a = 1")
    checkAnswer(rows, Seq(org.apache.spark.sql.Row(1, 0), org.apache.spark.sql.Row(0, 2)))
  }
}
