// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import org.apache.spark.sql.Row
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.TestedLine
import io.sparksieve.report.core.Reason

/** Tables, views, WITH clauses and subqueries: several names of one source are resolved to it. */
class CatalogSuite extends SourcesTest {

  private val Except = "ReplaceExceptWithNotFilter"
  private val Intersect = "ReplaceIntersectWithFilter"
  private val Union = "ReplaceUnionWithFilter"

  override def beforeAll(): Unit = {
    super.beforeAll()
    flights.coalesce(1).write.saveAsTable("f")
    flights.coalesce(1).write.saveAsTable("g")
    sql("CREATE VIEW early AS SELECT month AS m, day, delay FROM f WHERE month < 7")
    sql("CREATE VIEW earlier AS SELECT m, delay FROM early WHERE m < 5")
  }

  private def assertSql(rule: String)(text: String): Unit =
    withClue(text)(assertOneScan(rule)(sql(text)))

  test("tables by name, alias, path and DataFrame") {
    assertEveryRewrite(spark.table("f"), spark.table("f"))
    assertSql(Except)(
      "SELECT month FROM f AS x EXCEPT SELECT y.month FROM default.f AS y WHERE y.month = 1")
    assertDeclined(Except, Reason.DifferentSource) {
      sql("SELECT month FROM f EXCEPT ALL SELECT month FROM g WHERE month = 1")
    }
  }

  test("permanent views, nested, each with its own filter") {
    assertSql(Except)("SELECT m FROM early EXCEPT ALL SELECT m FROM earlier WHERE m = 2")
    assertSql(Except)("SELECT m FROM early EXCEPT SELECT month FROM f WHERE month < 3")
    assertSql(Intersect)(
      "SELECT m FROM earlier WHERE m > 1 INTERSECT SELECT month FROM f WHERE month > 2")
    assertSql(Union)("SELECT m, delay FROM earlier UNION SELECT m, delay FROM early WHERE m > 2")
  }

  test("temporary and global temporary views, and one that shadows a table") {
    withTempView("some", "f_view") {
      sql("CREATE TEMPORARY VIEW some AS SELECT * FROM f WHERE day < 4")
      assertSql(Except)("SELECT * FROM some EXCEPT ALL SELECT * FROM some WHERE month = 3")
      assertSql(Except)("SELECT * FROM some EXCEPT ALL SELECT * FROM f WHERE month = 3")
      spark.table("f").where("day > 1").createOrReplaceTempView("f_view")
      assertSql(Except)("SELECT * FROM f_view EXCEPT SELECT * FROM f WHERE month = 3")
    }
    withGlobalTempView("everywhere") {
      sql("CREATE GLOBAL TEMPORARY VIEW everywhere AS SELECT * FROM f")
      assertSql(Except) {
        "SELECT * FROM global_temp.everywhere EXCEPT ALL SELECT * FROM global_temp.everywhere WHERE day = 1"
      }
    }
    withTempView("f") {
      sql("CREATE TEMPORARY VIEW f AS SELECT * FROM g")
      assertDeclined(Except, Reason.DifferentSource) {
        sql("SELECT * FROM f EXCEPT ALL SELECT * FROM default.f WHERE month = 1")
      }
      assertSql(Except)("SELECT * FROM f EXCEPT ALL SELECT * FROM g WHERE month = 1")
    }
  }

  test("WITH: one definition twice, two definitions of one table, nested, in a subquery") {
    assertSql(Except)(
      "WITH c AS (SELECT * FROM f) SELECT month FROM c EXCEPT SELECT month FROM c WHERE month = 3")
    assertSql(Except) {
      """WITH a AS (SELECT month, day FROM f WHERE day > 1), b AS (SELECT day, month FROM f)
         SELECT month, day FROM a EXCEPT ALL SELECT month, day FROM b WHERE month = 3"""
    }
    assertSql(Intersect) {
      """WITH a AS (SELECT * FROM f WHERE day > 1), b AS (SELECT month AS m FROM a WHERE month > 2)
         SELECT m FROM b INTERSECT SELECT month FROM a WHERE month < 9"""
    }
    assertSql(Union) {
      """WITH c AS (SELECT month, day FROM f)
         SELECT * FROM c WHERE month = 3 UNION SELECT * FROM c WHERE day = 2"""
    }
    assertSql(Except) {
      """SELECT max(month) FROM (
           WITH c AS (SELECT month FROM f) SELECT * FROM c EXCEPT SELECT * FROM c WHERE month = 12)"""
    }
  }

  test("WITH: a definition that is not deterministic is drawn once, for both sides") {
    assertSql(Except) {
      """WITH c AS (SELECT month, rand(5) AS r FROM f)
        SELECT month FROM c WHERE r < 0.5 EXCEPT ALL SELECT month FROM c WHERE month = 1 AND r < 0.5"""
    }
  }

  test("WITH RECURSIVE stays, and gives the right rows") {
    assume(TestedLine.atLeast("4.1"), "no recursion before Spark 4.1")
    val definition = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)"
    checkAnswer(
      sql(s"$definition SELECT i FROM n EXCEPT ALL SELECT i FROM n WHERE i = 3"),
      rows(1, 2, 4, 5))
    checkAnswer(
      sql(s"$definition SELECT i FROM n WHERE i < 2 UNION SELECT i FROM n WHERE i > 4"),
      rows(1, 5))
  }

  test("operations in FROM, IN, EXISTS and scalar subqueries") {
    assertSql(Except)(
      "SELECT count(*) FROM (SELECT month FROM f EXCEPT SELECT month FROM f WHERE month < 4)")
    val inner = "SELECT month FROM f EXCEPT ALL SELECT month FROM f WHERE month < 4"
    Seq(
      s"SELECT * FROM g WHERE month IN ($inner)",
      s"SELECT * FROM g WHERE month = 4 OR month = (SELECT max(month) FROM ($inner))",
      s"SELECT * FROM g WHERE EXISTS ($inner)",
      s"SELECT month, (SELECT min(month) FROM ($inner)) FROM g"
    ).foreach { text =>
      withClue(text) {
        val (plan, entries) = planned(sql(text))
        assertApplied(Except, entries, plan)
        checkAnswer(sql(text), off(sql(text)))
      }
    }
  }

  test("joins, aggregates and lateral views as the common base") {
    for (base <- Seq(
        "SELECT f.month, g.day FROM f JOIN g ON f.month = g.month AND f.day = g.day",
        "SELECT month, max(day) AS day FROM f GROUP BY month",
        "SELECT month, d AS day FROM f LATERAL VIEW explode(array(day, delay)) AS d"
      )) {
      withTempView("base") {
        sql(s"CREATE TEMPORARY VIEW base AS $base")
        val text = "SELECT * FROM base EXCEPT ALL SELECT * FROM base WHERE month = 3"
        withClue(base) {
          val (plan, entries) = planned(sql(text))
          assertApplied(Except, entries, plan)
          checkAnswer(sql(text), off(sql(text)))
        }
      }
    }
  }

  test("a LIMIT, a sample or a window below is not the same twice") {
    for (base <- Seq("SELECT * FROM f LIMIT 7", "SELECT * FROM f TABLESAMPLE (50 PERCENT)")) {
      val (plan, entries) = planned {
        sql(s"SELECT * FROM ($base) EXCEPT ALL SELECT * FROM ($base) WHERE month = 3")
      }
      assert(!entries.exists(_.reason.isEmpty), s"$entries\n$plan")
    }
  }

  test("hints do not hide the source") {
    assertSql("ReplaceAntiJoinWithNotFilter") {
      "SELECT /*+ BROADCAST(r) */ * FROM f l LEFT ANTI JOIN (SELECT * FROM f WHERE month < 3) r ON l.month = r.month"
    }
  }

  test("CHAR and VARCHAR columns") {
    withTable("chars") {
      sql("CREATE TABLE chars (c CHAR(4), v VARCHAR(4), n INT) USING parquet")
      sql(
        "INSERT INTO chars VALUES ('a', 'a', 1), ('b', 'b', 2), ('b', 'b ', 2), (NULL, 'c', 3), ('a', NULL, 1)")
      assertSql(Except)("SELECT c, v FROM chars EXCEPT SELECT c, v FROM chars WHERE c = 'a'")
      assertSql(Except)("SELECT c, v FROM chars EXCEPT ALL SELECT c, v FROM chars WHERE v = 'b'")
      assertSql(Intersect)(
        "SELECT c FROM chars WHERE n > 1 INTERSECT SELECT c FROM chars WHERE c < 'c'")
      assertSql("ReplaceAntiJoinWithNotFilter") {
        "SELECT * FROM chars l WHERE NOT EXISTS (SELECT 1 FROM chars r WHERE l.c = r.c AND r.c = 'b')"
      }
    }
  }

  test("INSERT, CREATE TABLE AS SELECT and CREATE VIEW") {
    val query = "SELECT month FROM f EXCEPT SELECT month FROM f WHERE month < 11"
    withTable("made", "filled") {
      sql(s"CREATE TABLE made USING parquet AS $query")
      checkAnswer(spark.table("made"), rows(11, 12))
      sql("CREATE TABLE filled (month INT) USING parquet")
      sql(s"INSERT INTO filled $query")
      sql(s"INSERT INTO filled $query")
      checkAnswer(spark.table("filled"), rows(11, 12, 11, 12))
      sql(
        "INSERT OVERWRITE filled SELECT month FROM made EXCEPT ALL SELECT month FROM made WHERE month = 11")
      checkAnswer(spark.table("filled"), rows(12))
      // Spark refuses to read a table that it overwrites, with Sieve and without.
      intercept[Exception] {
        sql(
          "INSERT OVERWRITE filled SELECT * FROM filled EXCEPT SELECT * FROM filled WHERE month = 1")
      }
      checkAnswer(spark.table("filled"), rows(12))
    }
    withView("late") {
      sql(s"CREATE VIEW late AS $query")
      assertSql(Except)("SELECT * FROM late")
      assert(sql("SHOW CREATE TABLE late").head().getString(0).contains("EXCEPT"))
    }
  }

  test("a table that grows between two queries") {
    withTable("grows") {
      flights.coalesce(1).write.saveAsTable("grows")
      def left =
        sql("SELECT * FROM grows WHERE day = 77 EXCEPT ALL SELECT * FROM grows WHERE month = 3")
      checkAnswer(left, Nil)
      sql("INSERT INTO grows VALUES (1, 77, 0), (3, 77, 0)")
      checkAnswer(left, Row(1, 77, 0))
    }
  }

  test("a table read before and after an INSERT") {
    withTable("grows") {
      flights.coalesce(1).write.saveAsTable("grows")
      val before = spark.table("grows")
      sql("INSERT INTO grows VALUES (3, 77, 0)")
      val after = spark.table("grows")
      // A table's plan lists its files when it is first used; both orders must be right.
      val truth = after.where("day = 77").count() - before.where("day = 77 AND month = 3").count()
      assert(after.exceptAll(before.where("month = 3")).where("day = 77").count() == truth)
    }
  }

  test("case-sensitive names that differ in case only") {
    withSQLConf(SQLConf.CASE_SENSITIVE.key -> "true") {
      withTempView("two") {
        spark.table("f").selectExpr("month AS a", "day AS A").createOrReplaceTempView("two")
        assertSql(Except)("SELECT a, A FROM two EXCEPT SELECT a, A FROM two WHERE A = 1")
        assertSql(Intersect)(
          "SELECT A FROM two WHERE a > 3 INTERSECT SELECT A FROM two WHERE A < 4")
      }
    }
  }
}
