// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.Reason

/** Which sides of a join are filtered, and through which operators a key is followed to a scan. */
class KeyTraceSuite extends DynamicFilterTest {

  test("only sides whose rows need a partner are filtered") {
    shuffled {
      val filtered = "(SELECT id FROM small WHERE dept = 7) f"
      for (join <- Seq("JOIN", "LEFT SEMI JOIN", "RIGHT JOIN")) {
        assertFiltered(sql(s"SELECT big.* FROM big $join $filtered ON big.id = f.id"))
      }
      for (join <- Seq("LEFT JOIN", "LEFT ANTI JOIN")) {
        assertFiltered(sql(s"SELECT f.* FROM $filtered $join big ON big.id = f.id"))
      }
      for (join <- Seq("LEFT JOIN", "LEFT ANTI JOIN", "FULL JOIN")) {
        assertLeft(Reason.PreservedSide)(
          sql(s"SELECT big.* FROM big $join $filtered ON big.id = f.id"))
      }
      for (join <- Seq("RIGHT JOIN", "FULL JOIN")) {
        assertLeft(Reason.PreservedSide)(
          sql(s"SELECT big.* FROM $filtered $join big ON big.id = f.id"))
      }
      assertFiltered(sql("SELECT * FROM big WHERE id IN (SELECT id FROM small WHERE dept = 7)"))
      assertFiltered(
        sql("SELECT * FROM big WHERE EXISTS (SELECT 1 FROM small WHERE dept = 7 AND id = big.id)"))
      checked(
        sql("SELECT * FROM big WHERE id NOT IN (SELECT id FROM small WHERE dept < 7) AND k < 9"))
    }
  }

  test("IN below OR: the side of the subquery is filtered, the rows of the outer query are not") {
    shuffled {
      assertFiltered(
        sql("SELECT * FROM small WHERE dept = 7 AND (s = 's70' OR id IN (SELECT id FROM big))"))
      assertLeft(Reason.PreservedSide)(
        sql("""SELECT * FROM big WHERE k = 7 OR id IN (SELECT id FROM small WHERE dept = 7)"""))
    }
  }

  private val filtered = "JOIN (SELECT id FROM small WHERE dept = 7) f"

  /** Sources of the key `x`, and whether the key can be traced to a scan. */
  private val shapes = Seq(
    "SELECT id AS x, s FROM big" -> true,
    "SELECT id AS x, upper(s) AS u FROM (SELECT * FROM big WHERE k > 3)" -> true,
    "SELECT id AS x, count(*) AS c, max(s) AS m FROM big GROUP BY id" -> true,
    "SELECT DISTINCT id AS x FROM big" -> true,
    "SELECT max(id) AS x FROM big GROUP BY k" -> false,
    "SELECT id AS x, row_number() OVER (PARTITION BY id ORDER BY s) AS r FROM big" -> true,
    "SELECT id AS x, row_number() OVER (PARTITION BY k ORDER BY id) AS r FROM big" -> false,
    "SELECT id AS x, s FROM big UNION ALL SELECT cast(k AS BIGINT), s FROM big" -> true,
    "SELECT l.id AS x, r.s FROM big l JOIN big r ON l.k = r.id" -> true,
    "SELECT l.id AS x, r.s FROM big l LEFT JOIN big r ON l.k = r.id" -> true,
    "SELECT l.id AS x, l.s FROM big l LEFT SEMI JOIN big r ON l.k = r.id" -> true,
    "SELECT l.id AS x, l.s FROM big l LEFT ANTI JOIN big r ON l.id = r.k" -> true,
    "SELECT id AS x FROM (SELECT * FROM big ORDER BY s LIMIT 15000)" -> false,
    "SELECT id AS x FROM big TABLESAMPLE (50 PERCENT) REPEATABLE (1)" -> false,
    "SELECT id AS x, rand(1) AS r FROM big" -> false,
    "SELECT id AS x, e FROM big LATERAL VIEW explode(array(1, 2)) t AS e" -> true,
    "SELECT id AS x FROM big DISTRIBUTE BY k SORT BY s" -> true,
    "SELECT id + 1 AS x FROM big" -> true,
    "SELECT x FROM (SELECT k, max(id) + 1 AS x FROM big GROUP BY k)" -> false
  )

  for ((source, followed) <- shapes) {
    test(s"a key is ${if (followed) "" else "not "}followed through $source") {
      shuffled {
        val query = s"SELECT q.* FROM ($source) q $filtered ON q.x = f.id"
        if (followed) {
          val ran = assertFiltered(sql(query))
          assert(ran.rowsOut < ran.rowsIn || ran.metric("filesSkipped") > 0 || ran.rowsIn < 20000)
        } else {
          assertLeft(Reason.KeyNotTraced)(sql(query))
        }
      }
    }
  }

  test("a key is followed into the right side of an outer join only where it must be matched") {
    shuffled {
      // The right key is NULL for left rows without a partner. These rows must stay.
      checked(sql("""SELECT l.id, r.id FROM small l LEFT JOIN big r ON l.id = r.id
        LEFT ANTI JOIN (SELECT id FROM small WHERE dept = 7) f ON r.id = f.id"""))
    }
  }

  test("a key is followed into each branch of a union, by the branch's own column") {
    shuffled {
      val union = "SELECT id AS x, s FROM big UNION ALL SELECT k, s FROM big"
      val ran = assertFiltered(sql(s"SELECT q.* FROM ($union) q $filtered ON q.x = f.id"))
      assert(ran.filters.length == 2, ran.plan)
    }
  }

  test("a key that the query writes in other letters than the table") {
    for (threshold <- Seq("-1", "10MB"))
      withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
        val ran = assertFiltered(
          sql("SELECT BIG.k FROM big JOIN small ON BIG.ID = small.id WHERE small.dept = 7"))
        assert(ran.scans.nonEmpty && ran.rowsIn <= 2500, ran.plan)
      }
  }

  test("directories by a column that their files have too, in other letters") {
    withTempPath { dir =>
      for (p <- 0 until 200 by 10)
        spark.range(1000, 1100, 1, 1).selectExpr("id AS K", "id AS v").write.parquet(s"$dir/k=$p")
      withTempView("twice") {
        spark.read.parquet(dir.getPath).createOrReplaceTempView("twice")
        for (column <- Seq("k", "K"))
          shuffled {
            val ran = assertFiltered(
              sql(
                s"SELECT t.v FROM twice t JOIN small ON t.$column = small.id WHERE small.dept = 1"))
            assert(ran.rows.length == 1000 && ran.scans.nonEmpty, ran.plan)
          }
      }
    }
  }

  test("a key is not followed to where an outer join puts NULLs") {
    shuffled {
      // With constraint propagation, Spark turns this into an inner join.
      withConf(SQLConf.CONSTRAINT_PROPAGATION_ENABLED.key -> "false") {
        val outer = "SELECT r.id AS x, l.s FROM big l LEFT JOIN big r ON l.k = r.id"
        assertLeft(Reason.KeyNotTraced)(sql(s"SELECT q.* FROM ($outer) q $filtered ON q.x = f.id"))
      }
    }
  }

  test("a key that is cast to less is not followed: it could fail for rows that joins drop") {
    shuffled {
      val narrow = "CAST(b.id AS INT) = CAST(f.id AS INT)"
      assertLeft(Reason.KeyNotTraced)(sql(s"SELECT b.s FROM big b $filtered ON $narrow"))
    }
  }
}
