package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.optimizer.{BuildSide, JoinSelectionHelper}
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.internal.SQLConf

/** Which side of a join Spark would broadcast; how it is asked differs between Spark lines. */
private[dynamicfilter] object BroadcastSide extends JoinSelectionHelper {

  def apply(join: Join, hintOnly: Boolean, conf: SQLConf): Option[BuildSide] =
    getBroadcastBuildSide(join.left, join.right, join.joinType, join.hint, hintOnly, conf)
}
