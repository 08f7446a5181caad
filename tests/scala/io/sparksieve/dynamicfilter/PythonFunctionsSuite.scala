// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{PythonUDF, Upper}
import org.apache.spark.sql.catalyst.plans.logical.{BaseEvalPython, LogicalPlan}

import io.sparksieve.dynamicfilter.optimize.DynamicFilter
import io.sparksieve.report.core.{Reason, Report}

/**
 * Rows are dropped before they are sent to Python. The functions here are not called: the tests of
 * the Python package call some.
 */
class PythonFunctionsSuite extends DynamicFilterTest {

  private val Rows = 100
  private val RowsByArrow = 101
  private val Pandas = 200
  private val Arrow = 250

  /** The plan of a query whose `upper` is a Python function, and what was reported. */
  private def withPython(
      query: String,
      evalType: Int,
      deterministic: Boolean = true): (LogicalPlan, Seq[Report.Entry]) = {
    val analyzed = sql(query).queryExecution.analyzed.transformAllExpressions { case u: Upper =>
      PythonUDF("f", null, u.dataType, u.children, evalType, deterministic)
    }
    Report.collecting(spark.sessionState.executePlan(analyzed).optimizedPlan)
  }

  private def below(plan: LogicalPlan): Seq[DynamicFilter] = plan.collect {
    case p: BaseEvalPython => p.collect { case f: DynamicFilter => f }
  }.flatten

  private def joined(source: String) =
    s"SELECT q.* FROM ($source) q JOIN (SELECT id FROM small WHERE dept = 7) f ON q.id = f.id"

  private val Called = joined("SELECT id, upper(s) AS u FROM big")

  for (evalType <- Seq(Rows, RowsByArrow))
    test(s"a key is followed through functions of one row (type $evalType)") {
      shuffled {
        val (plan, _) = withPython(Called, evalType)
        assert(below(plan).length == 1, plan)
        val (filtered, _) =
          withPython(joined("SELECT id, s FROM big WHERE upper(s) LIKE 'S1%'"), evalType)
        assert(below(filtered).length == 1, filtered)
      }
    }

  for (evalType <- Seq(Pandas, Arrow))
    test(s"functions of a batch see all of its rows (type $evalType)") {
      shuffled(assertEnds(withPython(Called, evalType)))
    }

  test("functions that are not deterministic see all rows") {
    shuffled(assertEnds(withPython(Called, Rows, deterministic = false)))
  }

  test("a result of Python is no key") {
    shuffled {
      val query = "SELECT q.* FROM (SELECT upper(s) AS u FROM big) q " +
        "JOIN (SELECT s FROM small WHERE dept = 7) f ON q.u = f.s"
      assertEnds(withPython(query, Rows))
    }
  }

  test("before Python it pays to drop rows even if the scan can skip nothing") {
    withTempView("lines") {
      withTempPath { dir =>
        sql("SELECT id, s FROM big").write.json(dir.getPath)
        spark.read.schema("id BIGINT, s STRING").json(dir.getPath).createOrReplaceTempView("lines")
        def over(columns: String) = joined(s"SELECT $columns FROM lines")
        assertLeft(Reason.NothingToSkip)(sql(over("id, s")))
        val (plan, _) = withPython(over("id, upper(s) AS u"), Rows)
        assert(below(plan).length == 1, plan)
      }
    }
  }

  test("Python is not called a second time for a side that Spark computes once") {
    shuffled {
      val again =
        "SELECT q.* FROM (SELECT id, upper(s) AS u FROM big) q JOIN small ON q.id = small.id"
      val query = s"$Called UNION ALL $again"
      val (plan, entries) = withPython(query, Rows)
      assert(below(plan).isEmpty, plan)
      assert(entries.exists(_.reason.contains(Reason.SharedPart)), entries)
    }
  }

  private def assertEnds(planned: (LogicalPlan, Seq[Report.Entry])): Unit = {
    val (plan, entries) = planned
    assert(plan.exists(_.isInstanceOf[BaseEvalPython]), plan)
    assert(below(plan).isEmpty, plan)
    assert(entries.exists(_.reason.contains(Reason.KeyNotTraced)), entries)
  }
}
