// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import org.apache.spark.sql.connector.catalog.Table
import org.apache.spark.sql.connector.write.RowLevelOperationTable

/** Spark's wrapper of the table that DELETE, UPDATE or MERGE changes, private to Spark's package. */
object RowLevelTable {

  /**
   * The wrapped table, or `table` itself. The builder of a wrapper belongs to the operation, which
   * remembers the scans that it builds.
   */
  def below(table: Table): Table = table match {
    case wrapper: RowLevelOperationTable => wrapper.table
    case other => other
  }

  /** Whether DELETE, UPDATE or MERGE changes the table. */
  def isChanged(table: Table): Boolean = table.isInstanceOf[RowLevelOperationTable]
}
