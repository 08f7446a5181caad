package io.sparksieve.setop

import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

/** Whether two DSv2 relations were loaded from one version of one table, as far as one can tell. */
object SameVersion {

  /**
   * Since Spark 4.1 tables may tell their id and version. Both are asked of time travel only: a
   * table without it is brought to its newest version when the query is planned, and Spark puts
   * one object in the place of all its loads then. The columns must be the same as well, because
   * a version need not change when a column is renamed.
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
