package io.sparksieve.setop

import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

import io.sparksieve.report.Reason

/** Whether two DSv2 relations read the same version of the same table. */
object SameTable {

  /**
   * None when they do. A connector's table equality says nothing of versions (Iceberg's compares
   * names, so that cached data is found), so two loads of one table count as the same only if
   * they are one object.
   */
  def apply(left: DataSourceV2Relation, right: DataSourceV2Relation): Option[Reason] =
    if ((left.table eq right.table) && left.options == right.options) None
    else if (left.identifier == right.identifier && left.catalog == right.catalog) {
      Some(Reason.DifferentSnapshot)
    } else Some(Reason.DifferentSource)
}
