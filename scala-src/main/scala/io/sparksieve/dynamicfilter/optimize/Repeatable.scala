// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types._

import io.sparksieve.common.SetEquality
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.scan.KeyRanges

/**
 * Whether a plan yields the same rows each time it runs, by an allow-list. The creation side runs
 * once if Spark reuses its exchange, but Spark does not guarantee that: the join may need another
 * partitioning of the side, adaptive execution plans the two copies separately, and a stage that
 * lost its output runs again. If a second run yielded other rows, the filter would drop rows that
 * the join needs.
 */
private[dynamicfilter] object Repeatable {

  /** Why the plan may yield other rows when it runs again; None if it yields the same rows. */
  def obstacle(plan: LogicalPlan): Option[Refusal] =
    plan.collectWithSubqueries { case node => node }.iterator.flatMap(ofNode(_)).find(_ => true)

  private def ofNode(node: LogicalPlan): Option[Refusal] = node match {
    case leaf: LeafNode =>
      if (PinnedSource(leaf)) None
      else Some(Refusal(Reason.SourceNotPinned, s"it reads ${leaf.nodeName}"))
    case other if !steady(other) || !other.expressions.forall(_.deterministic) =>
      Some(Refusal(Reason.NonDeterministic, s"by ${other.nodeName}"))
    case _ => None
  }

  // Not listed: LIMIT, samples and windows, whose result may depend on the order of their input,
  // and user-defined functions over rows.
  private def steady(node: LogicalPlan): Boolean = node match {
    case _: Project | _: Filter | _: Join | _: Union | _: Sort | _: SubqueryAlias => true
    case _: DynamicFilter | _: CollectKeys | _: Expand | _: RepartitionOperation | _: Distinct =>
      true
    case g: Generate => g.generator.deterministic
    case a: Aggregate =>
      // Of strings that are equal under a collation, the group keeps the first.
      a.groupingExpressions.forall(e => SetEquality.mergesFloatsOnly(e.dataType)) &&
      a.aggregateExpressions.forall(!_.exists {
        case f: AggregateFunction => !steady(f)
        case _ => false
      })
    case _ => false
  }

  // Others may depend on the order of their input, as first, collect_list and sums of floats do.
  private def steady(function: AggregateFunction): Boolean = function match {
    case _: Count => true
    case f @ (_: Min | _: Max) => !SetEquality.merges(f.dataType)
    case s: Sum => isExact(s.child.dataType)
    case a: Average => a.child.dataType.isInstanceOf[DecimalType]
    case _ => false
  }

  private def isExact(dataType: DataType) =
    KeyRanges.isIntegral(dataType) || dataType.isInstanceOf[DecimalType]
}
