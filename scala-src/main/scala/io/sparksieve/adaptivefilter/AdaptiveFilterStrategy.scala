package io.sparksieve.adaptivefilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{FilterExec, SparkPlan, SparkStrategy}

import io.sparksieve.{SieveConf, SparkCompat}

/**
 * Marks the filters that [[PlanAdaptiveFilter]] replaces: those that stand for a filter of the
 * query. It has filters planned by the session's other strategies, because whoever plans a filter
 * here has to push it into the scan below and to prune the scan's columns too; and it leaves Spark's
 * FilterExec in place, because Spark's rules over physical plans know that one.
 */
final class AdaptiveFilterStrategy(session: SparkSession) extends SparkStrategy {

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

  // The planner makes the strategies of extensions anew whenever it is asked.
  private def others =
    SparkCompat.planner(session).strategies.filterNot(_.isInstanceOf[AdaptiveFilterStrategy])
}

private[adaptivefilter] object AdaptiveFilterStrategy {
  val Marked: TreeNodeTag[Unit] = TreeNodeTag[Unit]("sieve.adaptivefilter.marked")
}
