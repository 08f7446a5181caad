package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf

object ScanColumn {
  def canSkip(leaf: LogicalPlan, attr: Attribute, conf: SQLConf): Boolean =
    leaf != null && attr != null && conf != null
}
