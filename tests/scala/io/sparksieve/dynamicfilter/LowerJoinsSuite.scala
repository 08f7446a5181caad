// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.optimize.{DynamicFilter, InjectDynamicFilter, LowerJoins}

/**
 * A side whose keys are too many bytes to collect, but which another join has limited by the same
 * key: the keys of that join's filtered side are collected instead.
 */
class LowerJoinsSuite extends DynamicFilterTest {

  // The side of the upper join reads `big` too, so it is no smaller than what it would filter.
  private val ratio = SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key -> "1.5"

  /** A query whose upper join reads `lower` and the groups of `big`. */
  private def upper(lower: String, key: String = "l.id = a.id"): String =
    s"""SELECT l.id, l.grp, a.top FROM $lower l
      JOIN (SELECT id, d, max(grp) AS top FROM big GROUP BY id, d) a ON $key"""

  private val joined =
    "(SELECT b.*, s.id AS other FROM big b JOIN small s ON b.id = s.id WHERE s.dept = 7)"

  // The threshold below which a side is broadcast: `small` is, `big` is not.
  private val Broadcast = "20KB"
  private val Shuffled = "-1"

  /** Asserts that both scans of `big` are filtered, the second by keys of a lower join. */
  private def assertBoth(query: String, keys: Long = 10): Ran = {
    val (plan, entries) = planned(sql(query))
    assert(entries.exists(_.detail.contains("of a lower join")), s"$entries\n$plan")
    val ran = assertFiltered(sql(query))
    assert(ran.keys == Seq(keys, keys) && ran.rowsOut < 3 * keys, ran.plan)
    ran
  }

  /** Asserts that the scan of the upper join's other side is not filtered. */
  private def assertNotBoth(query: String): Unit = {
    val (plan, entries) = planned(sql(query))
    assert(!entries.exists(_.detail.contains("of a lower join")), s"$entries\n$plan")
    assert(plan.collect { case f: DynamicFilter => f }.length <= 1, plan)
    checked(sql(query))
    ()
  }

  for (adaptive <- Seq("true", "false")) {
    def inEach(name: String, thresholds: String*)(body: => Unit): Unit =
      test(s"$name, AQE $adaptive") {
        withConf(ratio, SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
          thresholds.foreach(threshold =>
            withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold)(body))
        }
      }

    def inBoth(name: String)(body: => Unit): Unit = inEach(name, Broadcast, Shuffled)(body)

    /** Takes less time: what such a test is about does not depend on how joins run. */
    def inOne(name: String)(body: => Unit): Unit =
      inEach(name, if (adaptive == "true") Broadcast else Shuffled)(body)

    inBoth("a correlated subquery reads the groups of the outer query") {
      assertBoth("""SELECT b.id, b.grp FROM big b, small t WHERE b.id = t.id AND t.dept = 7
        AND b.grp < (SELECT 2 * avg(o.grp) FROM big o WHERE o.id = t.id)""")
    }

    inBoth("a semi-join's right side") {
      assertBoth(upper("(SELECT * FROM big WHERE id IN (SELECT id FROM small WHERE dept = 7))"))
    }

    inBoth("a key that the lower join compares with another") {
      assertBoth(upper(joined, "l.other = a.id"))
      assertBoth(upper(s"(SELECT abs(other) AS id, id AS x, grp FROM $joined)", "l.x = a.id"))
    }

    inOne("floats, of which Spark normalizes zeros and NaN") {
      val doubles =
        "(SELECT b.* FROM big b JOIN (SELECT DOUBLE(id) AS x, dept FROM small) s ON b.d = s.x WHERE s.dept = 7)"
      // A broadcast of doubles can skip nothing in a scan, but saves an exchange of rows.
      Seq(upper(doubles, "l.d = a.d"), s"SELECT l.id, a.s FROM $doubles l JOIN big a ON l.d = a.d")
        .foreach { query =>
          assert(planned(sql(query))._2.exists(_.detail.contains("of a lower join")))
          val ran = assertFiltered(sql(query))
          assert(ran.keys.toSet == Set(10L) && ran.filters.last.key.sql == "a.d", ran.plan)
        }
    }

    inOne("joins between that keep the rows of the key's side") {
      val kept = Seq(
        s"(SELECT j.* FROM $joined j LEFT JOIN small o ON j.grp = o.dept AND o.id = 1)",
        s"(SELECT j.* FROM small o RIGHT JOIN $joined j ON j.grp = o.dept AND o.id = 1)",
        s"(SELECT j.* FROM $joined j LEFT ANTI JOIN small o ON j.grp = o.dept AND o.id = 1)"
      )
      kept.foreach { lower =>
        val (_, entries) = planned(sql(upper(lower)))
        assert(entries.exists(_.detail.contains("of a lower join")), s"$entries\n$lower")
        checked(sql(upper(lower)))
      }
    }

    inOne("not where the key comes out of another side") {
      val few = "(SELECT * FROM small WHERE dept = 7)"
      val others = Seq(
        s"(SELECT b.* FROM big b LEFT JOIN $few s ON b.id = s.id)",
        s"(SELECT b.* FROM $few s RIGHT JOIN big b ON b.id = s.id)",
        s"(SELECT b.* FROM big b FULL JOIN $few s ON b.id = s.id)",
        s"(SELECT b.* FROM big b LEFT ANTI JOIN $few s ON b.id = s.id)",
        s"(SELECT b.* FROM big b JOIN $few s ON b.k = s.id)"
      )
      others.foreach(lower => assertNotBoth(upper(lower)))
    }

    inOne("not where the key is computed or cast above the lower join") {
      val computed =
        Seq("abs(id)", "INT(id)", "max(id) OVER (PARTITION BY grp)", "if(grp < 60, id, grp)")
      computed.foreach { key =>
        assertNotBoth(upper(s"(SELECT $key AS id, grp FROM $joined)"))
      }
      assertNotBoth(upper("""(SELECT BIGINT(b.k) AS id, b.grp FROM big b
          JOIN (SELECT INT(id) AS k FROM small WHERE dept = 7) s ON b.k = s.k)"""))
    }

    inOne("not keys that may be others when they are read again") {
      val random =
        "(SELECT b.* FROM big b JOIN (SELECT id FROM small WHERE dept = 7 AND rand(1) * id >= 0) s ON b.id = s.id)"
      assertNotBoth(upper(random))
    }
  }

  test("the rule is idempotent") {
    withConf(ratio) {
      shuffled {
        val two = s"(SELECT j.* FROM $joined j JOIN small o ON j.id = o.id WHERE o.dept < 50)"
        val once = sql(upper(two)).queryExecution.optimizedPlan
        val again = once.clone()
        again.foreach(_.unsetTagValue(InjectDynamicFilter.Done))
        def filters(plan: LogicalPlan) = plan.collect { case f: DynamicFilter => f }.length
        assert(filters(once) > 1 && filters(InjectDynamicFilter(again)) == filters(once), once)
      }
    }
  }

  test("the lower side has the same filters in the subquery as in its join") {
    withConf(SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key -> "1") {
      shuffled {
        val nested = """(SELECT b.* FROM big b JOIN (SELECT s.id FROM small s
          JOIN (SELECT INT(id) AS m, s FROM small) o ON s.dept = o.m WHERE o.s = 's70') p ON b.id = p.id)"""
        val (plan, entries) = planned(sql(upper(nested)))
        assert(entries.exists(_.detail.contains("of a lower join")), s"$entries\n$plan")
        val filters = plan.collect { case f: DynamicFilter if f.key.sql.endsWith("id") => f }
        assert(filters.length == 2, plan)
        assert(filters.forall(_.subqueries.exists(_.exists(_.isInstanceOf[DynamicFilter]))), plan)
        checked(sql(upper(nested)))
      }
    }
  }

  test("a key of a table that a join compares with the lower join's") {
    withConf(ratio) {
      shuffled {
        val query = upper(s"(SELECT c.* FROM $joined j JOIN big c ON j.id = c.id)")
        assert(assertFiltered(sql(query)).keys == Seq(10, 10, 10))
      }
    }
  }

  test("each join is looked at once, however many of its keys are equal") {
    withConf(SieveConf.ENABLED.key -> "false") {
      val tables = (1 to 12).map(i => s"t$i")
      val pairs = tables.combinations(2).map(p => s"${p.head}.id = ${p.last}.id")
      val text = s"""SELECT t1.id FROM ${tables.map(t => s"small $t").mkString(", ")}
        WHERE ${pairs.mkString(" AND ")}"""
      val plan = sql(text).queryExecution.optimizedPlan
      // Of each join both sides, by at most one pair of keys for each of its tables.
      assert(LowerJoins.of(plan, plan.output).length <= 11 * 2 * 12, plan)
    }
  }

  test("a side that is not refused gives its own keys, which are fewer") {
    shuffled {
      val (plan, entries) = planned(sql(upper(joined)))
      assert(!entries.exists(_.detail.contains("of a lower join")), s"$entries\n$plan")
      checked(sql(upper(joined)))
    }
  }
}
