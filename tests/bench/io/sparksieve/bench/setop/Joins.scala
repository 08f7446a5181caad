// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.setop

import io.sparksieve.bench.{Case, CaseGroup, QueryCase, Variant}

/** Anti- and semi-joins of a table with a filtered copy of itself: one filtered scan. */
object Joins extends CaseGroup {

  override def position: Int = 2

  private val Anti = "ReplaceAntiJoinWithNotFilter"
  private val Semi = "ReplaceSemiJoinWithFilter"

  override def cases(rows: Long): Seq[Case] = {
    val flights = Seq(Flights.parquet(rows))
    val right = "(SELECT * FROM flights WHERE tailnum < 'N2') r"
    val keys = "l.tailnum = r.tailnum AND l.flight = r.flight"
    Seq(
      QueryCase(
        "anti/join",
        "LEFT ANTI JOIN with a third of the planes",
        flights,
        s"SELECT l.* FROM flights l LEFT ANTI JOIN $right ON $keys",
        Anti,
        others = Seq(
          Variant.off(
            "SELECT * FROM flights WHERE tailnum IS NULL OR flight IS NULL OR NOT tailnum < 'N2'",
            "by hand"))
      ),
      QueryCase(
        "anti/not-exists",
        "NOT EXISTS",
        flights,
        "SELECT * FROM flights l WHERE NOT EXISTS (SELECT 1 FROM flights r " +
          s"WHERE $keys AND r.tailnum < 'N2')",
        Anti
      ),
      QueryCase(
        "anti/not-in",
        "NOT IN, the key without NULLs",
        flights,
        "SELECT * FROM flights WHERE tailnum IS NOT NULL AND " +
          "tailnum NOT IN (SELECT tailnum FROM flights WHERE tailnum < 'N2')",
        Anti
      ),
      QueryCase(
        "semi/join",
        "LEFT SEMI JOIN with a third of the planes",
        flights,
        s"SELECT l.* FROM flights l LEFT SEMI JOIN $right ON $keys",
        Semi,
        others = Seq(
          Variant
            .off("SELECT * FROM flights WHERE flight IS NOT NULL AND tailnum < 'N2'", "by hand"))
      ),
      QueryCase(
        "semi/exists",
        "EXISTS",
        flights,
        "SELECT * FROM flights l WHERE EXISTS (SELECT 1 FROM flights r " +
          s"WHERE $keys AND r.tailnum < 'N2')",
        Semi),
      QueryCase(
        "semi/in",
        "IN; its few keys are broadcast",
        flights,
        "SELECT * FROM flights WHERE tailnum IN " +
          "(SELECT tailnum FROM flights WHERE tailnum < 'N2')",
        Semi
      )
    )
  }
}
