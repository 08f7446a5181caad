// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.optimizer.{BuildSide, JoinSelectionHelper}
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.internal.SQLConf

/** The side of a join that Spark would broadcast; Spark's method differs between Spark lines. */
private[dynamicfilter] object BroadcastSide extends JoinSelectionHelper {

  def apply(join: Join, hintOnly: Boolean, conf: SQLConf): Option[BuildSide] =
    getBroadcastBuildSide(join.left, join.right, join.joinType, join.hint, hintOnly, conf)
}
