// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.expressions.{
  BindReferences,
  DynamicPruningSubquery,
  Expression,
  UnaryExpression,
  Unevaluable
}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec
import org.apache.spark.sql.execution.joins.{HashJoin, HashedRelationBroadcastMode}
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

  def name: String = s"dynamicpruning#${original.exprId.id}"

  /** The position of the key among those of the broadcast. */
  def index: Int = BroadcastIndex(original)

  /** The broadcast of the subquery, as Spark plans it in the side, for an operator of the copy. */
  def broadcast(operator: SparkPlan): SparkPlan = {
    val side = QueryExecution.prepareExecutedPlan(operator.session, original.buildQuery)
    val keys =
      BindReferences.bindReferences(HashJoin.rewriteKeyExpr(original.buildKeys), side.output)
    BroadcastExchangeExec(HashedRelationBroadcastMode(keys), side)
  }

  override protected def withNewChildInternal(newChild: Expression): CopysSubquery =
    copy(child = newChild)
}
