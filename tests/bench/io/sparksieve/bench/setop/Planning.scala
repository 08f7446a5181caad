package io.sparksieve.bench.setop

import io.sparksieve.bench._

/** What planning costs: of queries that Sieve must leave alone, and of those that it rewrites. */
object Planning extends CaseGroup {

  override def position: Int = 4

  private val Millisecond = Some(1.0)

  override def cases(rows: Long): Seq[Case] = {
    val flights = Seq(Flights.small(rows))
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
        Star.tables,
        Star.query(""),
        changes = false,
        target = Millisecond),
      PlanningCase(
        "planning/join-of-8-exists",
        "the same with EXISTS over other tables, which Sieve looks at and leaves",
        Star.tables,
        Star.query(
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

  /** A fact table and seven dimensions. */
  private object Star {

    private val Dimensions = 1 to 7

    private val dimension = DataSet(
      "dimension",
      100,
      "SELECT id AS key, cast(id % 10 AS INT) AS amount, concat('a', id) AS name FROM ids",
      files = 1)

    private val fact = DataSet(
      "fact",
      1000,
      "SELECT id, cast(id % 100 AS DECIMAL(7, 2)) AS price, " +
        Dimensions.map(d => s"id * $d % 100 AS key_$d").mkString(", ") + " FROM ids",
      files = 1
    )

    /** Each dimension has files of its own, so that no two are one table. */
    val tables: Seq[Table] = Table("fact", fact) +: Dimensions.map { d =>
      Table(s"dim_$d", dimension.copy(name = s"dimension-$d"))
    }

    def query(more: String): String = {
      val joins = Dimensions.map(d => s"JOIN dim_$d ON fact.key_$d = dim_$d.key").mkString(" ")
      val filters = Dimensions.map(d => s"dim_$d.amount > $d").mkString(" AND ")
      s"""SELECT dim_1.name, dim_2.name AS name_2, sum(fact.price) AS total,
         |  avg(CASE WHEN dim_3.amount > 5 THEN fact.price END) AS some
         |FROM fact $joins WHERE $filters $more
         |GROUP BY dim_1.name, dim_2.name HAVING sum(fact.price) > 100
         |ORDER BY total DESC LIMIT 100""".stripMargin
    }
  }

  /** Many tables of one shape. */
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
