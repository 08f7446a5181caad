// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.bulkfilter

import io.sparksieve.bench.{Case, CaseGroup, Figures}
import io.sparksieve.bulkfilter.api.BulkFilter

/**
 * Four files under AND, OR and NOT, compared with existence joins, the document's plan and sets
 * written by hand; with sets built in each run, and with sets cached by the previous run.
 */
object Nested extends CaseGroup {

  override def position: Int = 1

  override def cases(rows: Long): Seq[Case] = {
    val data = new Data(rows, (rows / 10).max(10), files = 4, Data.FarApart)
    val tree: BulkFilter =
      (data.leaf(0) || data.leaf(1)) && data.leaf(2, "Exclude") || data.leaf(3)
    val about = s"((a OR b) AND NOT c) OR d, ${Figures.count(data.keys)} keys each"
    def nested(name: String, how: String, conf: Map[String, String], counted: Boolean = false) =
      Setup.filter(
        name,
        s"$about, $how",
        data,
        tree,
        conf,
        Some(6),
        documentTarget = Some(4.5),
        byHand = 0 to 3,
        counted = counted)
    Seq(
      nested("nested/cold", "sets built in each run", Setup.Cold),
      nested("nested/kept", "sets kept from the run before", Map.empty),
      nested("counted/cold", "sets built in each run, rows counted", Setup.Cold, counted = true),
      nested("counted/kept", "sets kept, rows counted", Map.empty, counted = true)
    ) ++ Seq("cold" -> Setup.Cold, "kept" -> Map.empty[String, String]).map { case (how, conf) =>
      Setup.filter(
        s"in-or-not-in/$how",
        s"a IN f OR b NOT IN g, ${Figures.count(data.keys)} keys each, against EXISTS OR NOT EXISTS",
        data,
        data.leaf(0) || data.leaf(1, "Exclude"),
        conf,
        Some(4)
      )
    }
  }
}
