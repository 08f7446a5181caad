// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.expressions.{
  DynamicPruningSubquery,
  Expression,
  UnaryExpression,
  Unevaluable
}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan, SubqueryBroadcastExec}
import org.apache.spark.sql.types.{BooleanType, DataType}

/**
 * Spark's subquery in the copy of a creation side, hidden from the rule of Spark's that would drop
 * it: what [[KeepCopysBroadcasts]] does with adaptive execution, without it. Its canonicalized form
 * is that of Spark's subquery, so the copy equals the side.
 *
 * @param child
 *   the key that is filtered
 */
private[exec] final case class CopysSubquery(child: Expression, original: DynamicPruningSubquery)
    extends UnaryExpression
    with Unevaluable {

  override def dataType: DataType = BooleanType

  override def nullable: Boolean = false

  override lazy val canonicalized: Expression = original.withNewChildren(Seq(child)).canonicalized

  /** The subquery as Spark plans it in the side, for an operator of the copy. */
  def planned(operator: SparkPlan): SubqueryBroadcastExec = {
    val side = QueryExecution.prepareExecutedPlan(operator.session, original.buildQuery)
    BroadcastIndex.subquery(original, SideBroadcast(original.buildKeys, side))
  }

  override protected def withNewChildInternal(newChild: Expression): CopysSubquery =
    copy(child = newChild)
}
