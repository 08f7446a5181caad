package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, BuildRight, BuildSide}
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}

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
