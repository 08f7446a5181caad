// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import io.sparksieve.dynamicfilter.optimize.InjectDynamicFilter

/** Joins of which adaptive execution eliminates one after another, because a side has no rows. */
class EliminatedSidesSuite extends DynamicFilterTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    Seq("mid", "low").foreach(t => sql(s"CREATE TABLE $t USING parquet AS SELECT id FROM small"))
  }

  override def afterAll(): Unit =
    try Seq("mid", "low").foreach(t => sql(s"DROP TABLE IF EXISTS $t"))
    finally super.afterAll()

  /** Only a run shows that no row of `big` remains. */
  private def chain(kind: String, names: String*): String = {
    val joins = names.zipWithIndex.map { case (name, i) =>
      s"$kind JOIN $name x$i ON b.id = x$i.id"
    }
    "SELECT b.k FROM (SELECT * FROM big WHERE id + k > 1000000) b " +
      s"$kind JOIN (SELECT DISTINCT s FROM small) f ON b.s = f.s ${joins.mkString(" ")}"
  }

  // Whether an exchange of keys was that of the plan's other parts differed from run to run.
  for (kind <- Seq("LEFT SEMI", "INNER"); names <- Seq(Seq("mid", "low"), Seq("mid", "low", "mid")))
    test(s"a plan that Spark can show: $kind, ${names.mkString(", ")}") {
      shuffled {
        for (_ <- 1 to 4) {
          val query = chain(kind, names: _*)
          val (plan, entries) = planned(sql(query))
          assertApplied(InjectDynamicFilter.Name, entries, plan)
          val ran = checked(sql(query))
          assert(ran.rows.isEmpty)
          // What was eliminated is shown without the stages that had run for it.
          assert(!ran.plan.toString.contains("LogicalQueryStage"), ran.plan)
        }
      }
    }
}
