// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{PythonUDF, Upper}
import org.apache.spark.sql.catalyst.plans.logical.{BaseEvalPython, LogicalPlan}
import org.apache.spark.sql.types.StringType

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
  private val PandasIterator = 204
  private val Arrow = 250

  /** The plan of a query whose `upper` is a Python function, and what was reported. */
  private def withPython(
      query: String,
      evalType: Int,
      deterministic: Boolean = true): (LogicalPlan, Seq[Report.Entry]) = {
    val analyzed = sql(query).queryExecution.analyzed.transformAllExpressionsWithSubqueries {
      case u: Upper => PythonUDF("f", null, u.dataType, u.children, evalType, deterministic)
    }
    Report.collecting(spark.sessionState.executePlan(analyzed).optimizedPlan)
  }

  private def below(plan: LogicalPlan): Seq[DynamicFilter] = plan.collect {
    case p: BaseEvalPython => p.collect { case f: DynamicFilter => f }
  }.flatten

  private val Few = "(SELECT id FROM small WHERE dept = 7)"

  private def joined(source: String) =
    s"SELECT q.* FROM ($source) q JOIN $Few f ON q.id = f.id"

  private val Called = joined("SELECT id, upper(s) AS u FROM big")

  test("a key is followed through functions of one row") {
    shuffled {
      val (plan, _) = withPython(Called, Rows)
      assert(below(plan).length == 1, plan)
      val (filtered, _) =
        withPython(joined("SELECT id, s FROM big WHERE upper(s) LIKE 'S1%'"), Rows)
      assert(below(filtered).length == 1, filtered)
    }
  }

  test("functions by Arrow see one row only if Spark converts their arguments one by one") {
    val byPandas = "spark.sql.legacy.execution.pythonUDF.pandas.conversion.enabled"
    shuffled {
      val (plan, _) = withPython(Called, RowsByArrow)
      assert(below(plan).length == (if (conf.isModifiable(byPandas)) 1 else 0), plan)
      withConf(byPandas -> "true")(assertEnds(withPython(Called, RowsByArrow)))
      withConf(byPandas -> "false") {
        val (same, _) = withPython(Called, RowsByArrow)
        assert(below(same).length == below(plan).length, same)
      }
    }
  }

  // Spark knows functions of Arrow's arrays since 4.1.
  for (evalType <- Seq(Pandas, PandasIterator, Arrow)
    if PythonUDF.isScalarPythonUDF(PythonUDF("f", null, StringType, Nil, evalType, true)))
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

  private val Again = "(SELECT id, upper(s) AS u FROM big WHERE id IS NOT NULL)"

  for ((what, query) <- Seq(
      "a join" -> s"$Called UNION ALL SELECT q.* FROM $Again q JOIN small ON q.id = small.id",
      "a window" -> (s"SELECT q.*, 1L AS n FROM $Again q JOIN $Few f ON q.id = f.id UNION ALL " +
        s"SELECT q.*, count(*) OVER (PARTITION BY q.id) FROM $Again q"),
      "a broadcast" -> (s"SELECT /*+ BROADCAST(q) */ q.* FROM big b JOIN $Again q ON b.id = q.id " +
        s"JOIN $Few f ON q.id = f.id UNION ALL " +
        s"SELECT /*+ BROADCAST(q) */ q.* FROM big b JOIN $Again q ON b.id = q.id"),
      "a cross join" -> (s"SELECT /*+ BROADCAST(q) */ q.* FROM small b CROSS JOIN $Again q " +
        s"JOIN $Few f ON q.id = f.id UNION ALL " +
        s"SELECT /*+ BROADCAST(q) */ q.* FROM small b CROSS JOIN $Again q"),
      "a subquery" -> (s"SELECT q.*, (SELECT count(q.u) FROM $Again q JOIN $Few f ON q.id = f.id) " +
        s"FROM $Again q JOIN small ON q.id = small.id"),
      "the query of a subquery" -> (s"SELECT q.*, (SELECT count(q.u) FROM $Again q JOIN small " +
        s"ON q.id = small.id) FROM $Again q JOIN $Few f ON q.id = f.id"),
      "the same subquery" -> (s"SELECT count(q.u), (SELECT count(q.u) FROM $Again q JOIN $Few f " +
        s"ON q.id = f.id) FROM $Again q JOIN $Few f ON q.id = f.id")
    ))
    test(s"Python is not called a second time for what Spark computes once: below $what") {
      shuffled {
        val (plan, entries) = withPython(query, Rows)
        val all = plan.collectWithSubqueries { case p: BaseEvalPython => p }
        assert(all.length > 1, plan)
        assert(all.forall(below(_).isEmpty), plan)
        assert(entries.exists(_.reason.contains(Reason.SharedPart)), entries)
      }
    }

  test("copies of a join call Python as often as before") {
    shuffled {
      val (plan, _) = withPython(s"$Called UNION ALL $Called", Rows)
      val filters = below(plan)
      assert(filters.length == 2 && filters.map(_.canonicalized).distinct.length == 1, plan)
    }
  }

  private def assertEnds(planned: (LogicalPlan, Seq[Report.Entry])): Unit = {
    val (plan, entries) = planned
    assert(plan.exists(_.isInstanceOf[BaseEvalPython]), plan)
    assert(below(plan).isEmpty, plan)
    assert(entries.exists(_.reason.contains(Reason.KeyNotTraced)), entries)
  }
}
