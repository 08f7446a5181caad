package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.optimizer.{BuildSide, JoinSelectionHelper}
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.internal.SQLConf

/** How Spark will run an equi-join, by the order in which its own planner asks. */
private[dynamicfilter] object BroadcastJoin extends JoinSelectionHelper {

  def apply(join: Join): Boolean = side(join, SQLConf.get).nonEmpty

  /** The side that Spark will broadcast; None for a join that shuffles. */
  def side(join: Join, conf: SQLConf): Option[BuildSide] =
    BroadcastSide(join, hintOnly = true, conf).orElse {
      if (hintToSortMergeJoin(join.hint) || hintsAtShuffledHash(join)) None
      else BroadcastSide(join, hintOnly = false, conf)
    }

  /** Whether a hint asks for a join that is no equi-join to Spark's planner: a nested loop. */
  def isNestedLoop(join: Join): Boolean = hintToShuffleReplicateNL(join.hint)

  private def hintsAtShuffledHash(join: Join): Boolean =
    hintToShuffleHashJoinLeft(join.hint) && canBuildShuffledHashJoinLeft(join.joinType) ||
      hintToShuffleHashJoinRight(join.hint) && canBuildShuffledHashJoinRight(join.joinType)
}
