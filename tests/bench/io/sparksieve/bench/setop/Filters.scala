// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.setop

import io.sparksieve.bench.{Case, CaseGroup, QueryCase, Table, Variant}

/** Set operations whose filters are functions of the compared columns: one filtered scan. */
object Filters extends CaseGroup {

  override def position: Int = 1

  override def cases(rows: Long): Seq[Case] = {
    val flights = Seq(Flights.parquet(rows))
    val csv = Seq(Flights.csv(rows))
    val byMonth = Seq(Flights.byMonth(rows))
    excepts(flights, csv, byMonth) ++ intersects(flights) ++ unions(flights, byMonth)
  }

  private val Except = "ReplaceExceptWithNotFilter"
  private val Intersect = "ReplaceIntersectWithFilter"
  private val Union = "ReplaceUnionWithFilter"

  private val NoBroadcast = Map("spark.sql.autoBroadcastJoinThreshold" -> "-1")

  private def side(where: String, table: String = "flights", columns: String = Flights.Renamed) =
    s"SELECT $columns FROM $table" + (if (where.isEmpty) "" else s" WHERE $where")

  private def byHand(sql: String) = Seq(Variant.off(sql, "by hand"))

  private def excepts(flights: Seq[Table], csv: Seq[Table], byMonth: Seq[Table]) = {
    val few = Flights.renamed("month", "carrier", "origin", "dest")
    val narrow = "ten columns down to four: few different rows"
    Seq(
      QueryCase(
        "except/month",
        "months before 3 EXCEPT month 12",
        flights,
        s"${side("month < 3")} EXCEPT ${side("month = 12")}",
        Except,
        others = byHand(s"SELECT DISTINCT ${Flights.Renamed} FROM flights WHERE month < 3"),
        target = Some(2.3)
      ),
      QueryCase(
        "except/month-csv",
        "the same on CSV",
        csv,
        s"${side("month < 3", "flights_csv")} EXCEPT ${side("month = 12", "flights_csv")}",
        Except,
        target = Some(2.3)),
      QueryCase(
        "except/month-by-month",
        "the same on files that hold a stretch of months each",
        byMonth,
        s"${side("month < 3", "flights_by_month")} EXCEPT ${side("month = 12", "flights_by_month")}",
        Except,
        target = Some(2.3)
      ),
      QueryCase(
        "except/half",
        "the first half of the year EXCEPT flights of one carrier",
        flights,
        s"${side("month < 7")} EXCEPT ${side("carrier = 'C3'")}",
        Except,
        target = Some(2.3)
      ),
      QueryCase(
        "except/shuffled-large-right",
        "everything EXCEPT all months but one; both sides of the anti-join are shuffled",
        flights,
        s"${side("")} EXCEPT ${side("month > 1")}",
        Except,
        conf = NoBroadcast,
        others = byHand(
          s"SELECT DISTINCT ${Flights.Renamed} FROM flights WHERE NOT coalesce(month > 1, false)"),
        target = Some(9)
      ),
      QueryCase(
        "except/shuffled-narrow",
        s"$narrow; both sides of the anti-join are shuffled",
        flights,
        s"${side("", columns = few)} EXCEPT ${side("month > 6", columns = few)}",
        Except,
        conf = NoBroadcast,
        target = Some(9)
      ),
      QueryCase(
        "except/chain",
        "EXCEPT three times",
        flights,
        s"${side("")} EXCEPT ${side("month = 12")} EXCEPT ${side("carrier = 'C3'")} " +
          s"EXCEPT ${side("delay > 30")}",
        Except
      ),
      QueryCase(
        "except/union-on-the-right",
        "EXCEPT (a UNION of two)",
        flights,
        s"${side("")} EXCEPT (${side("month = 12")} UNION ${side("carrier = 'C3'")})",
        Except),
      QueryCase(
        "except/sparks-own-rule",
        "names unchanged, so that Spark's own rule rewrites it too: no ratio is expected",
        flights,
        "SELECT * FROM flights WHERE month < 3 EXCEPT SELECT * FROM flights WHERE month = 12",
        Except,
        others = Seq(
          Variant.off(
            "SELECT * FROM flights WHERE month < 3 EXCEPT SELECT * FROM flights WHERE month = 12",
            "Spark's rule off",
            Map("spark.sql.optimizer.replaceExceptWithFilter" -> "false")
          ))
      ),
      QueryCase(
        "except-all/large",
        "everything EXCEPT ALL month 12",
        flights,
        s"${side("")} EXCEPT ALL ${side("month = 12")}",
        Except,
        others = byHand(side("NOT coalesce(month = 12, false)")),
        target = Some(7.2)
      ),
      QueryCase(
        "except-all/month",
        "months before 3 EXCEPT ALL month 12",
        flights,
        s"${side("month < 3")} EXCEPT ALL ${side("month = 12")}",
        Except,
        target = Some(7.2))
    )
  }

  private def intersects(flights: Seq[Table]) = Seq(
    QueryCase(
      "intersect/half",
      "months before 7 INTERSECT flights of a quarter of the carriers",
      flights,
      s"${side("month < 7")} INTERSECT ${side("carrier < 'C12'")}",
      Intersect,
      others = byHand(
        s"SELECT DISTINCT ${Flights.Renamed} FROM flights WHERE month < 7 AND carrier < 'C12'"),
      target = Some(3.8)
    ),
    QueryCase(
      "intersect/overlap",
      "months before 9 INTERSECT months after 4",
      flights,
      s"${side("month < 9")} INTERSECT ${side("month > 4")}",
      Intersect,
      target = Some(3.8)
    ),
    QueryCase(
      "intersect-all/half",
      "months before 7 INTERSECT ALL flights of a quarter of the carriers",
      flights,
      s"${side("month < 7")} INTERSECT ALL ${side("carrier < 'C12'")}",
      Intersect,
      others = byHand(side("month < 7 AND carrier < 'C12'")),
      target = Some(12)
    ),
    QueryCase(
      "intersect-all/overlap",
      "months before 9 INTERSECT ALL months after 4",
      flights,
      s"${side("month < 9")} INTERSECT ALL ${side("month > 4")}",
      Intersect,
      target = Some(12)
    )
  )

  private def unions(flights: Seq[Table], byMonth: Seq[Table]) = Seq(
    QueryCase(
      "union/overlap",
      "UNION of two filters that overlap",
      flights,
      s"${side("month < 4")} UNION ${side("carrier = 'C3'")}",
      Union,
      others =
        byHand(s"SELECT DISTINCT ${Flights.Renamed} FROM flights WHERE month < 4 OR carrier = 'C3'")
    ),
    QueryCase(
      "union-all/disjoint",
      "UNION ALL of four months",
      flights,
      Seq(1, 4, 7, 10).map(m => side(s"month = $m")).mkString(" UNION ALL "),
      Union,
      others = byHand(side("month IN (1, 4, 7, 10)"))
    ),
    QueryCase(
      "union-all/disjoint-by-month",
      "the same on files that hold a stretch of months each: both ways skip files",
      byMonth,
      Seq(1, 4, 7, 10).map(m => side(s"month = $m", "flights_by_month")).mkString(" UNION ALL "),
      Union
    )
  )
}
