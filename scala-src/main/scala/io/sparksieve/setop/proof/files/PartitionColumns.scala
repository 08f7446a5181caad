// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.files

import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.expressions.AttributeSet
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** The partition columns of a plan's tables, by whose values Spark skips whole directories. */
private[proof] object PartitionColumns {

  def apply(plan: LogicalPlan): AttributeSet = AttributeSet(plan.collectLeaves().flatMap {
    case leaf @ FileLeaf(files) =>
      val partitions = files.fold(_.partitionSchema, _.fileIndex.partitionSchema)
      val names = partitions.fieldNames.toSet
      leaf.output.filter(a => names(a.name))
    case h: HiveTableRelation => h.partitionCols
    case _ => Nil
  })
}
