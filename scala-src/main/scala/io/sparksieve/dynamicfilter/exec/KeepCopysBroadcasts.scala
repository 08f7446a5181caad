// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.IN_SUBQUERY_EXEC
import org.apache.spark.sql.execution.{
  BaseSubqueryExec,
  InSubqueryExec,
  ReusedSubqueryExec,
  SparkPlan,
  SubqueryAdaptiveBroadcastExec,
  UnaryExecNode
}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec

import io.sparksieve.dynamicfilter.optimize.CopyOfSide

/**
 * Keeps the filters of a creation side in the copy that its keys are collected from ([[CopyOfSide]]),
 * with adaptive execution.
 *
 * Spark looks in a plan for the join whose broadcast a filter needs, finds none in the copy, and
 * drops the filter. The copy would then differ from the side, so that both run, and yield keys that
 * the filter drops in the side. This rule runs when Spark prepares the copy, and replaces the
 * filter's subquery by one that Spark does not know; [[PlanCopysBroadcasts]] plans it as Spark does
 * in the side.
 *
 * Spark's own pruning of partitions is kept where it is in the side ([[SparksPruning]]).
 */
private[sparksieve] object KeepCopysBroadcasts extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan =
    CopyOfSide.pruning(plan).fold(plan) { pruning =>
      plan.transformWithPruning(_.containsPattern(IN_SUBQUERY_EXEC)) {
        case filter: DynamicFilterExec => kept(filter)(_ => true)
        case other => kept(other)(in => pruning.contains(in.exprId))
      }
    }

  private def kept(operator: SparkPlan)(wanted: InSubqueryExec => Boolean): SparkPlan =
    operator.transformExpressions {
      case in: InSubqueryExec if wanted(in) =>
        in.plan match {
          case broadcast: SubqueryAdaptiveBroadcastExec if broadcast.onlyInBroadcast =>
            in.withNewPlan(CopysBroadcastExec(broadcast))
          case _ => in
        }
    }
}

/**
 * A subquery that stands for Spark's in the copy of a side. Its canonicalized form is that of
 * Spark's, so the copy equals the side.
 */
private[exec] final case class CopysBroadcastExec(original: SubqueryAdaptiveBroadcastExec)
    extends BaseSubqueryExec
    with UnaryExecNode {

  override def name: String = original.name

  override def child: SparkPlan = original.child

  /** The subquery as Spark plans it in the side; the very same if Spark has planned that already. */
  def planned: BaseSubqueryExec = child match {
    case side: AdaptiveSparkPlanExec =>
      val exchange = SideBroadcast(original.buildKeys, side.executedPlan)
      side.executedPlan.logicalLink.foreach(exchange.setLogicalLink)
      val subquery = BroadcastIndex.subquery(original, side.copy(inputPlan = exchange))
      val known = side.context.subqueryCache.getOrElseUpdate(subquery.canonicalized, subquery)
      if (known eq subquery) subquery else ReusedSubqueryExec(known)
    case _ => original
  }

  override protected def doCanonicalize(): SparkPlan = original.canonicalized

  override protected def doExecute(): RDD[InternalRow] =
    throw new UnsupportedOperationException(s"$nodeName is planned before it runs.")

  override protected def withNewChildInternal(newChild: SparkPlan): CopysBroadcastExec =
    copy(original.withNewChildren(Seq(newChild)).asInstanceOf[SubqueryAdaptiveBroadcastExec])
}

/** Plans the subqueries that [[KeepCopysBroadcasts]] has kept, just before a stage runs. */
private[exec] object PlanCopysBroadcasts extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan =
    plan.transformAllExpressionsWithPruning(_.containsPattern(IN_SUBQUERY_EXEC)) {
      case in: InSubqueryExec =>
        PhysicalKeySource.original(in.plan) match {
          case copied: CopysBroadcastExec => in.withNewPlan(copied.planned)
          case _ => in
        }
    }
}
