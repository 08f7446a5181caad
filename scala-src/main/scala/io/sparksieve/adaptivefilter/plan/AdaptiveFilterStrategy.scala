// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.plan

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{FilterExec, SparkPlan, SparkStrategy}

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf

/**
 * Marks the FilterExecs that [[PlanAdaptiveFilter]] replaces: those planned for a Filter of the
 * query. The session's other strategies plan the Filter itself, because a strategy that plans a
 * Filter must also push it into the scan below and prune the scan's columns. Spark's FilterExec
 * stays in place for now, because Spark's rules over physical plans look for it.
 */
private[sparksieve] final class AdaptiveFilterStrategy(session: SparkSession)
    extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] =
    if (!SieveConf.adaptiveFilterEnabled(SparkCompat.conf(session)) || !isFilter(plan)) Nil
    else {
      val planned = others.iterator.flatMap(_.apply(plan)).take(1).toList
      planned.foreach(_.foreach {
        case f: FilterExec => f.setTagValue(AdaptiveFilterStrategy.Marked, ())
        case _ =>
      })
      planned
    }

  private def isFilter(plan: LogicalPlan): Boolean = plan match {
    case _: Filter => true
    case p: Project => isFilter(p.child)
    case _ => false
  }

  // Compared by class: each call of `strategies` creates the strategies of extensions anew.
  private def others =
    SparkCompat.planner(session).strategies.filterNot(_.isInstanceOf[AdaptiveFilterStrategy])
}

private[adaptivefilter] object AdaptiveFilterStrategy {
  val Marked: TreeNodeTag[Unit] = TreeNodeTag[Unit]("sieve.adaptivefilter.marked")
}
