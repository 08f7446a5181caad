package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.expressions.{ExprId, Expression, NamedExpression, Unevaluable}
import org.apache.spark.sql.catalyst.trees.LeafLike
import org.apache.spark.sql.execution.{BaseSubqueryExec, ExecSubqueryExpression, ReusedSubqueryExec}
import org.apache.spark.sql.types.{BinaryType, DataType}

/**
 * The values of a leaf, which Spark has read before the operator that asks them runs.
 *
 * @param plan
 *   a [[LoadKeysExec]]
 */
final case class BulkKeys(plan: BaseSubqueryExec, exprId: ExprId)
    extends ExecSubqueryExpression
    with LeafLike[Expression]
    with Unevaluable {

  // Not part of the expression's identity.
  @volatile private var result: Membership = _

  /** What there is to ask. */
  def membership: Membership = {
    require(result != null, s"$this has not been waited for")
    result
  }

  override def updateResult(): Unit = result = subquery.await()

  /** The subquery that reads the values. */
  def subquery: LoadKeysExec = plan match {
    case load: LoadKeysExec => load
    case ReusedSubqueryExec(load: LoadKeysExec) => load
    case other => throw new IllegalStateException(s"No values come from ${other.nodeName}")
  }

  override def dataType: DataType = BinaryType

  override def nullable: Boolean = false

  override def withNewPlan(plan: BaseSubqueryExec): BulkKeys = copy(plan = plan)

  override lazy val canonicalized: Expression =
    BulkKeys(plan.canonicalized.asInstanceOf[BaseSubqueryExec], ExprId(0))

  override def toString: String = plan.name
}

private[bulkfilter] object BulkKeys {
  def apply(plan: LoadKeysExec): BulkKeys = BulkKeys(plan, NamedExpression.newExprId)
}
