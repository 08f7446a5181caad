// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.{DataSourceV2Relation, FileTable}
import org.apache.spark.sql.types.StructType

/** The partition columns of a plan's tables, by whose values Spark skips whole directories. */
private[proof] object PartitionColumns {

  def apply(plan: LogicalPlan): AttributeSet = AttributeSet(plan.collectLeaves().flatMap {
    case r: LogicalRelation =>
      r.relation match {
        case fs: HadoopFsRelation => of(fs.partitionSchema, r.output)
        case _ => Nil
      }
    case r: DataSourceV2Relation =>
      r.table match {
        case files: FileTable => of(files.fileIndex.partitionSchema, r.output)
        case _ => Nil
      }
    case h: HiveTableRelation => h.partitionCols
    case _ => Nil
  })

  private def of(partitions: StructType, output: Seq[Attribute]) = {
    val names = partitions.fieldNames.toSet
    output.filter(a => names(a.name))
  }
}
