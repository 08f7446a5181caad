// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.{
  BuildLeft,
  BuildRight,
  BuildSide,
  JoinSelectionHelper
}
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.internal.SQLConf

/**
 * An equi-join with the choice of the side whose keys filter the other side.
 *
 * @param buildSide
 *   the creation side, whose keys are collected; the other is the application side
 * @param buildKeys
 *   the join's keys on the creation side
 * @param probeKeys
 *   the join's keys on the application side, in the same order
 */
private[dynamicfilter] final case class JoinDirection(
    join: Join,
    buildSide: BuildSide,
    buildKeys: Seq[Expression],
    probeKeys: Seq[Expression]) {

  def build: LogicalPlan = if (buildSide == BuildLeft) join.left else join.right

  def probe: LogicalPlan = if (buildSide == BuildLeft) join.right else join.left

  /** Whether rows of the application side that have no partner may be dropped. */
  def mayFilter: Boolean =
    if (buildSide == BuildLeft) JoinSides.mayFilterRight(join.joinType)
    else JoinSides.mayFilterLeft(join.joinType)

  /** The estimated bytes that the scans of the application side read. */
  def probeBytes: BigInt = ScanBytes(probe)

  /** The join with its children replaced. */
  def withSides(build: LogicalPlan, probe: LogicalPlan): Join =
    if (buildSide == BuildLeft) join.copy(left = build, right = probe)
    else join.copy(left = probe, right = build)
}

private[dynamicfilter] object JoinDirection {

  /**
   * Both directions of an equi-join, the one with more bytes to save first; empty for other joins.
   */
  def of(join: Join): Seq[JoinDirection] = join match {
    case ExtractEquiJoinKeys(_, left, right, _, _, _, _, _) =>
      Seq(JoinDirection(join, BuildRight, right, left), JoinDirection(join, BuildLeft, left, right))
        .sortBy(-_.probeBytes)
    case _ => Nil
  }
}

/** The bytes that all leaves of a plan scan, by Spark's statistics. */
private[dynamicfilter] object ScanBytes {

  // Not the size of the plan itself: Spark estimates a join as the product of its sides.
  def apply(plan: LogicalPlan): BigInt = plan.collectLeaves().map(_.stats.sizeInBytes).sum
}

/**
 * Whether a side of a join may lose the rows that have no partner on the other side. A side whose
 * rows are in the join's output even without a partner must keep them, and so must both sides of an
 * unknown join type.
 */
private[dynamicfilter] object JoinSides {

  def mayFilterLeft(joinType: JoinType): Boolean = joinType match {
    case Inner | Cross | LeftSemi | RightOuter => true
    case _ => false
  }

  def mayFilterRight(joinType: JoinType): Boolean = joinType match {
    case Inner | Cross | LeftSemi | LeftOuter | LeftAnti | _: ExistenceJoin => true
    case _ => false
  }
}

/**
 * Predicts whether Spark will run an equi-join as a broadcast join: checks hints and sizes in the
 * order of Spark's own planner.
 */
private[dynamicfilter] object BroadcastJoin extends JoinSelectionHelper {

  def apply(join: Join): Boolean = side(join, SQLConf.get).nonEmpty

  /** The side that Spark will broadcast; None if the join shuffles. */
  def side(join: Join, conf: SQLConf): Option[BuildSide] =
    BroadcastSide(join, hintOnly = true, conf).orElse {
      if (hintToSortMergeJoin(join.hint) || hintsAtShuffledHash(join)) None
      else BroadcastSide(join, hintOnly = false, conf)
    }

  /** Whether a hint makes Spark's planner run the join as a nested loop, not as an equi-join. */
  def isNestedLoop(join: Join): Boolean = hintToShuffleReplicateNL(join.hint)

  private def hintsAtShuffledHash(join: Join): Boolean =
    hintToShuffleHashJoinLeft(join.hint) && canBuildShuffledHashJoinLeft(join.joinType) ||
      hintToShuffleHashJoinRight(join.hint) && canBuildShuffledHashJoinRight(join.joinType)
}
