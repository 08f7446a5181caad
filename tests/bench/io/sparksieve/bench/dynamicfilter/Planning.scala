// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.dynamicfilter

import io.sparksieve.bench.{Case, CaseGroup, PlanningCase, Star}
import io.sparksieve.bench.dynamicfilter.Setup._

/**
 * The cost of planning: without joins, with joins that Sieve leaves unchanged, and with filters
 * added.
 */
object Planning extends CaseGroup {

  override def position: Int = 5

  private val Millisecond = Some(1.0)

  override def cases(rows: Long): Seq[Case] = {
    // The size does not matter for planning; there must be at least as many rows as departments.
    val data = new Data(100000)
    val tables = Seq(data.t1("t1_small"), data.t2("t2_small"))
    val join = "SELECT t1.name, t2.team FROM t1_small t1 JOIN t2_small t2 ON t1.id = t2.id"
    val star = Star(7)
    Seq(
      PlanningCase(
        "planning/simple",
        "one table, no join",
        tables,
        "SELECT id, name FROM t1_small WHERE name LIKE 'name 1%' AND id > 30",
        changes = false,
        conf = OpenGate,
        target = Millisecond
      ),
      PlanningCase(
        "planning/join-without-filter",
        "two tables, nothing to filter by",
        tables,
        join,
        changes = false,
        conf = OpenGate,
        target = Millisecond),
      PlanningCase(
        "planning/join-broadcast",
        "two tables, one filter into a broadcast join",
        tables,
        s"$join WHERE t2.department = 'd17'",
        changes = true,
        conf = OpenGate ++ Broadcast
      ),
      PlanningCase(
        "planning/join-sort-merge",
        "two tables, one filter into a join that shuffles",
        tables,
        s"$join WHERE t2.department = 'd17'",
        changes = true,
        conf = OpenGate ++ SortMerge
      ),
      PlanningCase(
        "planning/join-of-8-below-the-gate",
        "a star of eight small tables",
        star.tables,
        star.query(""),
        changes = false,
        target = Millisecond),
      PlanningCase(
        "planning/join-of-8",
        "the same with the gate open: seven filters",
        star.tables,
        star.query(""),
        changes = true,
        conf = OpenGate)
    ) ++ many(Star(19), "a star of twenty tables") ++
      many(Star(19, snowflake = true), "twenty tables in a row")
  }

  /** Physical plans too: each filter has a subquery that is planned, with the filters inside it. */
  private def many(star: Star, about: String): Seq[Case] =
    for ((how, conf) <- Seq("broadcast" -> Broadcast, "sort-merge" -> SortMerge)) yield {
      val form = if (star.snowflake) "row" else "star"
      PlanningCase(
        s"planning/$form-of-20-$how",
        s"$about, with physical plans",
        star.tables,
        star.query(""),
        changes = true,
        plannings = 10,
        conf = OpenGate ++ conf,
        physical = true)
    }
}
