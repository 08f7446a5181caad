package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, BuildRight, BuildSide}
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}

/**
 * An equi-join seen from one of its sides.
 *
 * @param buildSide
 *   the side that has the keys; the other is to be filtered
 * @param buildKeys
 *   the join's keys on the side that has them
 * @param probeKeys
 *   the keys on the other side, in the same order
 */
private[dynamicfilter] final case class JoinDirection(
    join: Join,
    buildSide: BuildSide,
    buildKeys: Seq[Expression],
    probeKeys: Seq[Expression]) {

  def build: LogicalPlan = if (buildSide == BuildLeft) join.left else join.right

  def probe: LogicalPlan = if (buildSide == BuildLeft) join.right else join.left

  /** Whether rows of the other side may be dropped that have no partner. */
  def mayFilter: Boolean =
    if (buildSide == BuildLeft) JoinSides.mayFilterRight(join.joinType)
    else JoinSides.mayFilterLeft(join.joinType)

  /** The bytes that the scans of the side to be filtered read, as far as is known. */
  def probeBytes: BigInt = ScanBytes(probe)

  /** The join over other children. */
  def withSides(build: LogicalPlan, probe: LogicalPlan): Join =
    if (buildSide == BuildLeft) join.copy(left = build, right = probe)
    else join.copy(left = probe, right = build)
}

private[dynamicfilter] object JoinDirection {

  /** Both directions of an equi-join, the one that could save more first; none of another join. */
  def of(join: Join): Seq[JoinDirection] = join match {
    case ExtractEquiJoinKeys(_, left, right, _, _, _, _, _) =>
      Seq(JoinDirection(join, BuildRight, right, left), JoinDirection(join, BuildLeft, left, right))
        .sortBy(-_.probeBytes)
    case _ => Nil
  }
}

/** The bytes of all that a plan scans, by Spark's statistics. */
private[dynamicfilter] object ScanBytes {

  // Not the plan's own size: Spark takes that of a join for the product of its sides.
  def apply(plan: LogicalPlan): BigInt = plan.collectLeaves().map(_.stats.sizeInBytes).sum
}
