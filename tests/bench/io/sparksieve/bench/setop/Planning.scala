// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.setop

import io.sparksieve.bench.{Case, CaseGroup, DataSet, PlanningCase, Star, Table}

/**
 * The cost of planning: of queries that Sieve must leave unchanged, and of queries that it
 * rewrites.
 */
object Planning extends CaseGroup {

  override def position: Int = 4

  private val Millisecond = Some(1.0)

  override def cases(rows: Long): Seq[Case] = {
    val flights = Seq(Flights.small(rows))
    val star = Star(7)
    Seq(
      PlanningCase(
        "planning/simple",
        "one table, no set operation",
        flights,
        "SELECT carrier, dest FROM flights_small WHERE month = 1 AND delay > 30",
        changes = false,
        target = Millisecond
      ),
      PlanningCase(
        "planning/join-of-8",
        "a star of eight tables, no set operation",
        star.tables,
        star.query(""),
        changes = false,
        target = Millisecond),
      PlanningCase(
        "planning/join-of-8-exists",
        "the same with EXISTS over other tables, which Sieve looks at and leaves",
        star.tables,
        star.query(
          "AND EXISTS (SELECT 1 FROM dim_7 x WHERE x.key = dim_1.key AND x.amount > 10) " +
            "AND fact.key_2 IN (SELECT key FROM dim_6 WHERE name LIKE 'a%')"),
        changes = false,
        target = Millisecond
      ),
      PlanningCase(
        "planning/except",
        "EXCEPT that is rewritten",
        flights,
        s"SELECT ${Flights.Renamed} FROM flights_small WHERE month < 3 EXCEPT " +
          s"SELECT ${Flights.Renamed} FROM flights_small WHERE month = 12",
        changes = true
      ),
      PlanningCase(
        "planning/counting",
        "EXCEPT that is counted",
        flights,
        "SELECT origin, dest FROM flights_small WHERE month < 3 EXCEPT " +
          "SELECT origin, dest FROM flights_small WHERE month = 12",
        changes = true,
        conf = Counting.OpenGate
      ),
      PlanningCase(
        "planning/union-of-200-tables",
        "UNION ALL of 200 filters of 200 tables",
        Parts.tables,
        Parts.union(i => s"part_$i"),
        changes = false,
        plannings = 2),
      PlanningCase(
        "planning/union-of-200-filters",
        "UNION ALL of 200 filters of one table, all disjoint",
        Parts.tables.take(1),
        Parts.union(_ => "part_0"),
        changes = true,
        plannings = 2
      ),
      PlanningCase(
        "planning/union-of-200-overlapping",
        "UNION ALL of 200 filters of one table that may overlap, so that none are merged",
        Parts.tables.take(1),
        Parts.union(_ => "part_0", "amount > "),
        changes = false,
        plannings = 2
      )
    )
  }

  /** Many tables with the same schema. */
  private object Parts {

    private val Count = 200

    private val part =
      DataSet("part", 100, "SELECT id, cast(id % 10 AS INT) AS amount FROM ids", files = 1)

    val tables: Seq[Table] =
      (0 until Count).map(i => Table(s"part_$i", part.copy(name = s"part-$i")))

    def union(table: Int => String, condition: String = "id = "): String =
      (0 until Count)
        .map(i => s"SELECT id, amount FROM ${table(i)} WHERE $condition$i")
        .mkString(" UNION ALL ")
  }
}
