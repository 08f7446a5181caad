package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.optimizer.{BuildSide, JoinSelectionHelper}
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.internal.SQLConf

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
