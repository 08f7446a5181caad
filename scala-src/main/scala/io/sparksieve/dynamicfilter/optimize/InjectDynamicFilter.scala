// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Subquery}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.catalyst.trees.TreePattern.JOIN

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Features, Guarded}

/**
 * Filters the scans of one side of a join (the application side) by the keys of the other side (the
 * creation side):
 * {{{
 *   Join Inner (e.id = d.employee_id)        Join Inner (e.id = d.employee_id)
 *   :- Scan employee e                  =>   :- DynamicFilter e.id IN keys of d.employee_id
 *   +- Filter (d.dept = 'admin')             :  +- Scan employee e
 *      +- Scan department d                  +- Filter (d.dept = 'admin')
 *                                               +- Scan department d
 * }}}
 * where:
 *   1. the join may lose rows of the application side that have no partner ([[JoinSides]]);
 *   1. the creation side is selective, for example by a predicate on a column that is no join key
 *      ([[Selective]]);
 *   1. its keys can be collected without running the side twice ([[KeySource]]), or keys that hold
 *      them from a join below it ([[LowerJoins]]);
 *   1. the key has a type that key sets support, and can be traced to a scan ([[KeyTrace]]);
 *   1. the filter does not change one occurrence of a part that Spark computes once for several
 *      places ([[SharedParts]]);
 *   1. the scan is large enough, and the filter saves work there ([[Placement]]).
 *
 * Runs in the optimizer's last batch, after IN and EXISTS have become joins. Visits joins from the
 * root down: the filter of an upper join may land in the creation side of a lower join. That side
 * must be the same plan in the join and in the subquery, or Spark would run it twice.
 */
private[sparksieve] object InjectDynamicFilter extends Rule[LogicalPlan] {

  val Name = "InjectDynamicFilter"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!SieveConf.dynamicFilterEnabled(conf) || !plan.containsPattern(JOIN) || isDone(plan)) plan
    else {
      plan match {
        case s: Subquery if s.correlated => plan
        case _ =>
          Guarded(Features.DynamicFilter, Name, plan.nodeName, plan) {
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
