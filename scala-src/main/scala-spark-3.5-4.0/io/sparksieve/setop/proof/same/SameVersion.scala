// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.same

import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

/** Whether two DSv2 relations are known to be loaded from the same version of the same table. */
private[proof] object SameVersion {

  /** Tables have no method that returns their version before Spark 4.1. */
  def apply(left: DataSourceV2Relation, right: DataSourceV2Relation): Boolean = {
    // Two table objects may hold different versions, even under the same name.
    left.table eq right.table
  }
}
