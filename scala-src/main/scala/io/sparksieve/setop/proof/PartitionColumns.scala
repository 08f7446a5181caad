// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.expressions.AttributeSet
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

/** The partition columns of a plan's tables, by whose values Spark skips whole directories. */
private[proof] object PartitionColumns {

  def apply(plan: LogicalPlan): AttributeSet = AttributeSet(plan.collectLeaves().flatMap {
    case r: LogicalRelation =>
      r.relation match {
        case fs: HadoopFsRelation =>
          val names = fs.partitionSchema.fieldNames.toSet
          r.output.filter(a => names(a.name))
        case _ => Nil
      }
    case h: HiveTableRelation => h.partitionCols
    case _ => Nil
  })
}
