package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveConf

/** Definitions that the parts of this feature share. */
object BulkFilters {
  val Feature = "bulkfilter"

  /**
   * Whether a filter's predicates must keep their present order: the feature is enabled, its config
   * chooses the order of points, and the condition has a leaf.
   */
  def keepsPoints(condition: Expression, conf: SQLConf): Boolean =
    SieveConf.bulkFilterEnabled(conf) && SieveConf.bulkFilterByPoints(conf) &&
      condition.exists(_.isInstanceOf[BulkLeaf])
}
