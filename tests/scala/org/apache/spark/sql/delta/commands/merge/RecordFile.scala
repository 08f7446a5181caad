// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.delta.commands.merge

/** Stands for the function of Delta's MERGE that records the files of joined rows. */
class RecordFile extends ((Any, Any) => Int) with Serializable {

  override def apply(file: Any, recorded: Any): Int = 1
}
