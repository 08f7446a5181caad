package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveConf

/** What the parts of this room have in common. */
object BulkFilters {
  val Room = "bulkfilter"

  /** Whether a filter's predicates are to keep the order in which they stand. */
  def keepsPoints(condition: Expression, conf: SQLConf): Boolean =
    SieveConf.bulkFilterEnabled(conf) && SieveConf.bulkFilterByPoints(conf) &&
      condition.exists(_.isInstanceOf[BulkLeaf])
}
