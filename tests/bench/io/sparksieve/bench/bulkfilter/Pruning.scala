// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.bulkfilter

import io.sparksieve.bench.{Case, CaseGroup, DataSet, QueryCase, Table, Tables}
import io.sparksieve.bulkfilter.optimize.ArrangeBulkFilters

/** How much reading a file of adjacent ids saves, if the table is sorted by id. */
object Pruning extends CaseGroup {

  override def position: Int = 4

  override def cases(rows: Long): Seq[Case] = {
    val table = new Data(rows, (rows / 10).max(10), files = 4, Data.FarApart).table
    val ids = Table("bulk_ids", DataSet("bulk-ids", 1000, s"SELECT id + ${rows / 2} AS k FROM ids"))
    val path = Tables.Home.resolve(ids.data.key).toAbsolutePath
    def ofRows(condition: String) =
      s"SELECT count(*), sum(a), sum(b), sum(c) FROM ${table.view} t WHERE $condition"
    Seq(
      QueryCase(
        "pruning/ids",
        "a thousand ids that lie together, of a table in their order",
        Seq(table, ids),
        ofRows(s"in_file(id, '$path')"),
        ArrangeBulkFilters.Name,
        Setup.Broadcast,
        physical = true,
        alone = Some(ofRows(s"EXISTS (SELECT 1 FROM ${ids.view} WHERE k = t.id)"))
      ))
  }
}
