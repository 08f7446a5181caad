package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types._

import io.sparksieve.common.SetEquality
import io.sparksieve.report.Reason

import KeyTrace.Refusal

/**
 * Whether a plan gives the same rows whenever it runs: a list of what does. The side that has the
 * keys runs once where Spark reuses its exchange, which nobody promises: the join may need the
 * side partitioned otherwise, adaptive execution plans the two copies apart, and a stage that has
 * lost its output runs again. Were it run twice with other rows, the filter would drop rows that
 * the join needs.
 */
private[dynamicfilter] object Repeatable {

  /** Why it may not; None if it does. */
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

  // Not here: LIMIT, samples and windows, for which the order in which rows come may matter, and
  // functions over rows that are the user's own.
  private def steady(node: LogicalPlan): Boolean = node match {
    case _: Project | _: Filter | _: Join | _: Union | _: Sort | _: SubqueryAlias => true
    case _: DynamicFilter | _: CollectKeys | _: Expand | _: RepartitionOperation | _: Distinct =>
      true
    case g: Generate => g.generator.deterministic
    case a: Aggregate =>
      // Of strings that a collation holds equal, the first one stands for all.
      a.groupingExpressions.forall(e => SetEquality.mergesFloatsOnly(e.dataType)) &&
      a.aggregateExpressions.forall(!_.exists {
        case f: AggregateFunction => !steady(f)
        case _ => false
      })
    case _ => false
  }

  // Others may depend on the order in which rows come, as first, collect_list and sums of floats do.
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
