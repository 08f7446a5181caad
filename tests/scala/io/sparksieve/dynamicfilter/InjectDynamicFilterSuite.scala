// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.exec.DynamicKeys
import io.sparksieve.dynamicfilter.optimize.{DynamicFilter, FilterProvenance, InjectDynamicFilter}
import io.sparksieve.report.core.Reason

/** Joins with a dynamic filter: what is filtered by which keys, and the number of jobs. */
class InjectDynamicFilterSuite extends DynamicFilterTest {

  for {
    adaptive <- Seq(true, false)
    codegen <- Seq(true, false)
  } {
    val mode = s"adaptive $adaptive, codegen $codegen"

    def inMode[T](body: => T): T = withConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive.toString,
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> codegen.toString,
      SQLConf.CODEGEN_FACTORY_MODE.key -> (if (codegen) "CODEGEN_ONLY" else "NO_CODEGEN")
    )(body)

    test(s"$mode: a shuffled join filters what it scans and what it shuffles") {
      inMode(shuffled {
        val ran = assertFiltered(sql(Document))
        assert(ran.kinds == Seq(FilterProvenance.Shuffle), ran.plan)
        assert(ran.keys == Seq(10), ran.plan)
        assert(ran.rowsOut == 10, ran.plan)
        // The scan has skipped row groups: 7 of the 8 files hold none of the keys.
        assert(ran.rowsIn <= 2500, ran.plan)
        assert(ran.rows.length == 10)
      })
    }

    test(s"$mode: a broadcast join filters what it scans") {
      inMode {
        val ran = assertFiltered(sql(Document))
        assert(ran.kinds == Seq(FilterProvenance.Broadcast), ran.plan)
        assert(ran.keys == Seq(10), ran.plan)
        assert(ran.rowsOut == 10 && ran.rowsIn <= 2500, ran.plan)
      }
    }

    test(s"$mode: the keys of a broadcast cost no job, those of a shuffle one") {
      inMode {
        def counted(on: Boolean) = withConf(SieveConf.ENABLED.key -> on.toString) {
          sql(Document).collect()
          jobs { sql(Document).collect(); () }
        }
        assert(counted(on = true) == counted(on = false))
        shuffled {
          val without = counted(on = false)
          // One more job collects the keys. Without adaptive execution, it also writes the shuffle
          // that the join's job would write otherwise.
          assert(counted(on = true) == without + 1)
        }
      }
    }

    test(s"$mode: the side that has the keys is read once") {
      inMode(shuffled {
        val ran = run(sql(Document))
        val reads = collectWithSubqueries(ran.plan) {
          case s: org.apache.spark.sql.execution.FileSourceScanExec
              if s.output.exists(_.name == "dept") =>
            s.metrics("numOutputRows").value
        }
        assert(reads.sum == 1000 || reads.distinct == Seq(1000L), s"$reads\n${ran.plan}")
      })
    }
  }

  test("no key matches: nothing is read, and the rows are none") {
    for (threshold <- Seq("-1", "10MB")) {
      withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
        val ran = checked(
          sql("SELECT big.id FROM big JOIN small ON big.id = small.id WHERE small.s = 'none'"))
        assert(ran.rows.isEmpty && ran.rowsIn == 0, ran.plan)
      }
    }
  }

  test("star: two filters on one scan") {
    shuffled {
      val ran = assertFiltered(sql("""SELECT b.id FROM big b
        JOIN (SELECT id FROM small WHERE dept < 90) x ON b.id = x.id
        JOIN (SELECT id FROM small WHERE dept = 7) y ON b.k = y.id"""))
      assert(ran.filters.length >= 2, ran.plan)
      assert(ran.scans.exists(_.filters.length == 2), ran.plan)
    }
  }

  test("several keys of one join") {
    for (threshold <- Seq("-1", "10MB")) {
      withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
        val ran = assertFiltered(sql("""SELECT b.id FROM big b
          JOIN small x ON b.id = x.id AND b.s = x.s WHERE x.dept = 7"""))
        assert(ran.filters.length == 2, ran.plan)
        assert(ran.rows.length == 10)
      }
    }
  }

  test("two integer keys, which a broadcast packs into one long") {
    val ran = assertFiltered(sql("""SELECT b.id FROM big b
      JOIN (SELECT cast(id / 10 AS INT) AS k, cast(id % 50 AS INT) AS g FROM small WHERE dept = 7) x
      ON b.k = x.k AND b.grp = x.g"""))
    assert(ran.filters.length == 2 && ran.rows.length == 10, ran.plan)
    ran.filters.foreach { f =>
      val (in, out) = (f.metrics("numInputRows").value, f.metrics("numOutputRows").value)
      assert(in > out && out > 0, ran.plan)
    }
    assert(ran.plan.toString.contains("BroadcastHashJoin"), ran.plan)
  }

  test("a chain: the keys of a filtered side filter the next") {
    shuffled {
      val ran = assertFiltered(sql("""SELECT b.id FROM big b JOIN big c ON b.k = c.id
        JOIN small x ON c.id = x.id WHERE x.dept = 7"""))
      assert(ran.filters.length >= 2, ran.plan)
    }
  }

  test("the key of an equal column filters the other side of an inner join too") {
    shuffled {
      val ran = assertFiltered(sql("""SELECT b.id FROM big b JOIN big c ON b.id = c.id
        JOIN small x ON c.id = x.id WHERE x.dept = 7"""))
      assert(ran.filters.length >= 2, ran.plan)
    }
  }

  test("conditions on the key alone add nothing: Spark gives them to both sides") {
    assertLeft(Reason.NotSelective)(
      sql("SELECT big.id FROM big JOIN small ON big.id = small.id WHERE small.id < 100"))
  }

  test("a key of the other side may be widened") {
    shuffled {
      val ran = assertFiltered(sql("""SELECT b.k FROM big b
        JOIN (SELECT id FROM small WHERE dept = 7) f ON b.k = f.id"""))
      assert(ran.rowsOut == 100, ran.plan)
    }
  }

  for (aqe <- Seq("true", "false"))
    test(
      s"a query that is used twice runs once, with a filter in it too: adaptive execution $aqe") {
      // The gate prevents the upper join from filtering one use of f by the keys of the other.
      val gate = SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key -> "2"
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe, gate) {
        def query = sql("""WITH f AS (SELECT b.grp, count(*) AS n FROM big b
            JOIN small s ON b.id = s.id WHERE s.dept < 50 GROUP BY b.grp)
          SELECT x.grp, x.n, y.n AS m FROM f x JOIN f y ON x.grp = y.grp AND x.n <= y.n + 1""")
        def scans(plan: SparkPlan) = collect(plan) {
          case s: FileSourceScanExec if s.tableIdentifier.exists(_.table == "big") => s
        }.length
        val off = withoutSieve {
          val df = query
          df.collect()
          scans(df.queryExecution.executedPlan)
        }
        val ran = assertFiltered(query)
        assert(ran.kinds.forall(_ == FilterProvenance.Broadcast), ran.plan)
        assert(off == 1 && scans(ran.plan) == 1, ran.plan)
        assert(collect(ran.plan) { case r: ReusedExchangeExec => r }.nonEmpty, ran.plan)
      }
    }

  test("self-join") {
    shuffled {
      assertFiltered(sql("SELECT a.id FROM big a JOIN big b ON a.id = b.id WHERE b.s = 's77'"))
    }
  }

  test("the rule is idempotent, and does nothing without joins") {
    shuffled {
      val once = planned(sql(Document))._1
      assert(InjectDynamicFilter(once) eq once)
      val again = once.clone()
      assert(InjectDynamicFilter(again).collect { case f: DynamicFilter => f }.length == 1)
      // Other rules may replace the node that carries the tag.
      again.foreach(_.unsetTagValue(InjectDynamicFilter.Done))
      assert(InjectDynamicFilter(again).collect { case f: DynamicFilter => f }.length == 1)
      val plain = sql("SELECT id FROM big WHERE k = 3").queryExecution.optimizedPlan
      assert(InjectDynamicFilter(plain) eq plain)
    }
  }

  test("each side of a cap: given up, and the rows are right") {
    for (threshold <- Seq("-1", "10MB")) {
      withConf(
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
        SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "false",
        SieveConf.DYNAMIC_FILTER_MAX_KEYS.key -> "9") {
        val ran = checked(sql(Document))
        assert(ran.keys == Seq(0), ran.plan)
        assert(ran.metric("filesSkipped") == 0, ran.plan)
      }
      withConf(
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
        SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "false",
        SieveConf.DYNAMIC_FILTER_MAX_KEYS.key -> "10") {
        assert(checked(sql(Document)).keys == Seq(10))
      }
      withConf(
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
        SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "false",
        SieveConf.DYNAMIC_FILTER_MAX_KEY_SET_BYTES.key -> "1"
      ) {
        assert(checked(sql(Document)).keys == Seq(0))
      }
    }
  }

  test("keys that are not there in time: nothing is filtered, and the rows are right") {
    shuffled {
      withConf(SieveConf.DYNAMIC_FILTER_TIMEOUT_MS.key -> "1") {
        val ran = checked(sql(Document))
        ran.filters.map(_.source).foreach {
          case keys: DynamicKeys =>
            assert(keys.subquery.outcome == Left("the keys were not there after 1 ms"))
          case other => fail(s"$other")
        }
        assert(ran.filters.nonEmpty && ran.rowsIn == 0 && ran.metric("filesSkipped") == 0, ran.plan)
      }
    }
  }

  test("the switch: the plan is the one without Sieve") {
    shuffled {
      withConf(SieveConf.DYNAMIC_FILTER_ENABLED.key -> "false") {
        val (plan, entries) = planned(sql(Document))
        assert(!plan.exists(_.isInstanceOf[DynamicFilter]) && entries.isEmpty, plan)
      }
      assertFiltered(sql(Document))
    }
  }

  test("a new session has the rule for its first query") {
    val other = spark.newSession()
    other.conf.set(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key, "-1")
    val plan = other.sql(Document).queryExecution.optimizedPlan
    assert(plan.exists(_.isInstanceOf[DynamicFilter]), plan)
  }
}
