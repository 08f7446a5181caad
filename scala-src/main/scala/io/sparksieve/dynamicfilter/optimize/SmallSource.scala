// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.MetadataAttribute
import org.apache.spark.sql.catalyst.plans.{LeftAnti, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.{AppendData, LogicalPlan}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.{
  DataSourceV2Relation,
  DataSourceV2ScanRelation
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.RowLevelTable

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Reason, Refusal}

/**
 * Whether the source of a MERGE, UPDATE or DELETE is small against the table that is changed. Such a
 * source seldom has a filter, but it usually has few of the table's keys. In a query, a side without
 * a filter usually has all keys of the other. This is an estimate of what a filter saves; the rows
 * are the same with any answer.
 */
private[dynamicfilter] final class SmallSource(root: LogicalPlan, conf: SQLConf) {

  /** Nothing if the keys of the creation side should be collected, or why not. */
  def obstacle(direction: JoinDirection): Option[Refusal] = {
    val table =
      if (!SieveConf.dynamicFilterRowLevel(conf)) Nil
      else direction.probe.collectLeaves().filter(isChanged(_, direction))
    val bytes = table.map(_.stats.sizeInBytes).sum
    val ratio = SieveConf.dynamicFilterMinTargetRatio(conf)
    lazy val source = ScanBytes(direction.build)
    if (table.isEmpty)
      Some(Refusal(Reason.NotSelective, "the side that has the keys has no such filter"))
    else if (BigDecimal(bytes) < BigDecimal(source) * ratio)
      Some(
        Refusal(
          Reason.NotSelective,
          s"a source of $source bytes for a table of $bytes; " +
            s"see ${SieveConf.DYNAMIC_FILTER_MIN_TARGET_RATIO.key}"))
    else None
  }

  private def isChanged(leaf: LogicalPlan, direction: JoinDirection): Boolean = leaf match {
    case r: DataSourceV2ScanRelation =>
      RowLevelTable.isChanged(r.relation.table) || (direction.join.joinType match {
        // The query that finds the files which a copy-on-write operation will replace.
        case LeftSemi => r.output.exists(a => MetadataAttribute.isValid(a.metadata))
        // A MERGE that only inserts.
        case LeftAnti => isAppended(r)
        case _ => false
      })
    // By name: Delta is not on Sieve's class path. Only its own commands read files this way.
    case r: LogicalRelation =>
      r.relation match {
        case files: HadoopFsRelation =>
          files.location.getClass.getName == "org.apache.spark.sql.delta.files.TahoeBatchFileIndex"
        case _ => false
      }
    case _ => false
  }

  private def isAppended(r: DataSourceV2ScanRelation) = root match {
    case append: AppendData =>
      append.table match {
        case target: DataSourceV2Relation => target.table == r.relation.table
        case _ => false
      }
    case _ => false
  }
}
