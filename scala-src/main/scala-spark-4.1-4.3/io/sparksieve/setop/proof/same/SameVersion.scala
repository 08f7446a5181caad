// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.same

import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

/** Whether two DSv2 relations are known to be loaded from the same version of the same table. */
private[proof] object SameVersion {

  /**
   * Since Spark 4.1, a table may return its id and version. Both are compared for time travel
   * only: Spark refreshes a table without time travel to its newest version when it plans the
   * query, and then replaces all loads of the table with one object. The columns must be equal
   * too, because the version need not change when a column is renamed.
   */
  def apply(left: DataSourceV2Relation, right: DataSourceV2Relation): Boolean = {
    val (l, r) = (left.table, right.table)
    (l eq r) || {
      left.timeTravelSpec.nonEmpty && right.timeTravelSpec.nonEmpty &&
      l.getClass == r.getClass &&
      l.id != null && l.id == r.id &&
      l.version != null && l.version == r.version &&
      l.columns.sameElements(r.columns)
    }
  }
}
