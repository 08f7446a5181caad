// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Expression, LeafExpression, Unevaluable}
import org.apache.spark.sql.catalyst.optimizer.BuildRight
import org.apache.spark.sql.catalyst.plans.{InnerLike, LeftSemi}
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec
import org.apache.spark.sql.execution.sieve.BroadcastKeys
import org.apache.spark.sql.types.{DataType, NullType}

import io.sparksieve.common.Numbers
import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.optimize.FilterProvenance
import io.sparksieve.report.core.RowFilterExec
import io.sparksieve.scan.DynamicScanExec

/**
 * Leaves out keys of a shuffle if the broadcast joins of the same stage drop nearly all rows anyway:
 * {{{
 *   BroadcastHashJoin [part]                             1 row in 150 has a partner
 *   :- DynamicFilter order IN keys of o.id (shuffle)     =>  not collected
 *   :  +- Scan
 *   +- BroadcastQueryStage
 * }}}
 * Such keys save the shuffle of the rows that are left, and are collected from another shuffle by a
 * job of their own. What a broadcast join keeps is known when adaptive execution is about to run the
 * stage: the share of rows of the broadcast table that its filters have kept, if its keys are unique.
 */
private[exec] object WorthCollecting {

  /** The plan of a stage whose broadcasts are there, without keys that are not worth it. */
  def only(stage: SparkPlan): SparkPlan = {
    val depends = stage.exists {
      case filter: DynamicFilterExec => !isWorth(filter, share = 0)
      case _ => false
    }
    if (depends) only(stage, 1.0) else stage
  }

  /**
   * @param share
   *   the share of rows that the joins above are expected to keep
   */
  private def only(plan: SparkPlan, share: Double): SparkPlan = plan match {
    case filter: DynamicFilterExec if !isWorth(filter, share) =>
      val without =
        filter.copy(source = NotCollected(why(share)), child = only(filter.child, share))
      without.copyTagsFrom(filter)
      without
    case join: BroadcastHashJoinExec =>
      val side = JoinsBroadcast.side(join)
      val kept = join.joinType match {
        case _: InnerLike => share * keptBy(side)
        case LeftSemi if join.buildSide == BuildRight => share * keptBy(side)
        case _ => share
      }
      join.mapChildren(child => only(child, if (child eq side) 1.0 else kept))
    case passing: UnaryExecNode if passesRows(passing) =>
      passing.withNewChildren(Seq(only(passing.child, share)))
    case other => other.mapChildren(only(_, 1.0))
  }

  private def isWorth(filter: DynamicFilterExec, share: Double) =
    filter.learnedFrom.kind != FilterProvenance.Shuffle ||
      filter.source.isInstanceOf[DynamicKeys] || share >= filter.learnedFrom.leastShare

  private def why(share: Double) =
    s"its stage's broadcast joins keep about ${Numbers.percent(share)} of the rows anyway; see " +
      SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key

  /** The share of rows that have a partner in a broadcast; 1 if unknown. */
  private def keptBy(side: SparkPlan): Double =
    // A broadcast that has just failed fails the query by itself.
    Try(measured(side)).getOrElse(1.0)

  private def measured(side: SparkPlan): Double = side match {
    case stage: BroadcastQueryStageExec if stage.isMaterialized && BroadcastKeys.areUnique(stage) =>
      val shares = for {
        all <- rowsRead(stage.broadcast.child).filter(_ > 0)
        kept <- stage.broadcast.runtimeStatistics.rowCount
      } yield math.min(1.0, kept.toDouble / all)
      shares.getOrElse(1.0)
    case _ => 1.0
  }

  /** The rows that the only scan below filters and projections has read. */
  private def rowsRead(plan: SparkPlan): Option[Long] = plan match {
    case unary: UnaryExecNode if passesRows(unary) => rowsRead(unary.child)
    case scan: DataSourceScanExec => scan.metrics.get("numOutputRows").map(_.value)
    case scan: LocalTableScanExec => Some(scan.rows.length.toLong)
    case scan: datasources.v2.BatchScanExec => scan.metrics.get("numOutputRows").map(_.value)
    case _ => None
  }

  /** Whether each output row of the operator is one of its input rows. */
  private def passesRows(operator: UnaryExecNode): Boolean = operator match {
    case _: ProjectExec | _: FilterExec | _: RowFilterExec | _: DynamicScanExec => true
    case _: ColumnarToRowExec | _: WholeStageCodegenExec | _: InputAdapter => true
    case _ => false
  }
}

/** Stands for keys that are not collected; every row passes. */
private[exec] final case class NotCollected(why: String) extends LeafExpression with Unevaluable {

  override def dataType: DataType = NullType

  override def nullable: Boolean = true

  override lazy val canonicalized: Expression = NotCollected("")

  override def toString: String = "not collected"
}
