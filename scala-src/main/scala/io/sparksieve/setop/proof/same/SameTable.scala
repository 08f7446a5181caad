// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.same

import org.apache.spark.sql.execution.datasources.v2.{DataSourceV2Relation, FileTable}

import io.sparksieve.common.UnchangingTable
import io.sparksieve.report.core.{Reason, Refusal}

/** Whether two DSv2 relations read the same version of the same table. */
private[proof] object SameTable {

  /**
   * None when they do. A connector's table equality does not cover versions (Iceberg compared only
   * names for long, so that cached data is found). So two loads of a table count as the same only
   * if they are one object, or if the table itself reports that both are the same version.
   */
  def apply(left: DataSourceV2Relation, right: DataSourceV2Relation): Option[Refusal] =
    if (left.options != right.options) Some(Reason.DifferentSource)
    else {
      (left.table, right.table) match {
        case _ if SameVersion(left, right) => None
        case (l: UnchangingTable, r) if l == r => None
        // FileTable equality covers paths, options and schema; each table has its own listing.
        case (l: FileTable, r: FileTable) if l == r => SameFiles.location(l.fileIndex, r.fileIndex)
        case _ if sameName(left, right) => Some(Reason.DifferentSnapshot)
        case _ => Some(Reason.DifferentSource)
      }
    }

  private def sameName(left: DataSourceV2Relation, right: DataSourceV2Relation) =
    left.identifier.nonEmpty && left.identifier == right.identifier && left.catalog == right.catalog
}
