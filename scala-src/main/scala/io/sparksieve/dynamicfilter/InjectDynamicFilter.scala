package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Subquery}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.catalyst.trees.TreePattern.JOIN

import io.sparksieve.SieveConf
import io.sparksieve.report.Guarded

/**
 * Filters the scans of one side of a join by the keys of the other:
 * {{{
 *   Join Inner (e.id = d.employee_id)        Join Inner (e.id = d.employee_id)
 *   :- Scan employee e                  =>   :- DynamicFilter e.id IN keys of d.employee_id
 *   +- Filter (d.dept = 'admin')             :  +- Scan employee e
 *      +- Scan department d                  +- Filter (d.dept = 'admin')
 *                                               +- Scan department d
 * }}}
 * where:
 *   1. rows of the filtered side that have no partner do not come out of the join ([[JoinSides]]);
 *   1. the other side has a filter that tells more than the keys' own ([[Selective]]);
 *   1. its keys can be had without running it twice ([[KeySource]]);
 *   1. the key can be followed to a scan ([[KeyTrace]]), of a type that sets of keys hold;
 *   1. no part that Spark computes once for several places is filtered for one ([[SharedParts]]);
 *   1. the scan is large enough, and something is saved by it ([[Placement]]).
 *
 * Runs in the optimizer's last batch, where IN and EXISTS are joins already. From the root down: a
 * filter of an upper join may land in the side from which a lower join then takes its keys, and
 * that side must look the same in both places, or Spark would run it twice.
 */
object InjectDynamicFilter extends Rule[LogicalPlan] {

  val Room = "dynamicfilter"
  val Name = "InjectDynamicFilter"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!SieveConf.dynamicFilterEnabled(conf) || !plan.containsPattern(JOIN) || isDone(plan)) plan
    else {
      plan match {
        case s: Subquery if s.correlated => plan
        case _ =>
          Guarded(Room, Name, plan.nodeName, plan) {
            val filtered = new Injection(plan, conf).filtered
            if (filtered ne plan) markDone(filtered)
            filtered
          }
      }
    }

  private[dynamicfilter] val Done = TreeNodeTag[Unit]("sieve.dynamicfilter.done")

  private[dynamicfilter] def isDone(plan: LogicalPlan): Boolean = plan.getTagValue(Done).nonEmpty

  private def markDone(plan: LogicalPlan): Unit = {
    plan.setTagValue(Done, ())
    plan match {
      case s: Subquery => s.child.setTagValue(Done, ())
      case _ =>
    }
  }
}
