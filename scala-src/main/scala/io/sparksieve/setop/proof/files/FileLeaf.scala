// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.files

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.{DataSourceV2Relation, FileTable}

/** A leaf that reads files: through the older interface, or through DSv2. */
private[setop] object FileLeaf {

  def unapply(leaf: LogicalPlan): Option[Either[HadoopFsRelation, FileTable]] = leaf match {
    case r: LogicalRelation =>
      r.relation match {
        case files: HadoopFsRelation => Some(Left(files))
        case _ => None
      }
    case r: DataSourceV2Relation =>
      r.table match {
        case files: FileTable => Some(Right(files))
        case _ => None
      }
    case _ => None
  }
}
