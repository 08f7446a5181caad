package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{ExprId, Expression, Unevaluable}
import org.apache.spark.sql.catalyst.trees.LeafLike
import org.apache.spark.sql.execution.{BaseSubqueryExec, ReusedSubqueryExec}
import org.apache.spark.sql.types.{BinaryType, DataType}

import io.sparksieve.keyset.KeySet

/**
 * The keys of a [[KeysSubqueryExec]] as an expression of the operators that use them, which makes
 * Spark run the subquery before them.
 *
 * @param plan
 *   a [[KeysSubqueryExec]], or Spark's stand-in for an equal one elsewhere in the query
 * @param keyType
 *   the type of the keys
 */
final case class DynamicKeys(plan: BaseSubqueryExec, keyType: DataType, exprId: ExprId)
    extends ScanKeys
    with LeafLike[Expression]
    with Unevaluable {

  /**
   * The keys, once [[updateResult]] has run; None if collecting them gave up, and then nothing may
   * be filtered.
   */
  override def keys: Option[KeySet] = collected.map(_.keys)

  /** The keys with what tasks need of them, as [[keys]]. */
  def collected: Option[CollectedKeys] = {
    require(updated, s"$this has not been waited for")
    result
  }

  // Not part of the expression's identity, and of no use to tasks.
  @transient @volatile private var updated = false
  @transient @volatile private var result: Option[CollectedKeys] = None

  override def updateResult(): Unit = {
    result = subquery.await()
    updated = true
  }

  /** The subquery that has the keys. */
  def subquery: KeysSubqueryExec = plan match {
    case k: KeysSubqueryExec => k
    case ReusedSubqueryExec(k: KeysSubqueryExec) => k
    case other => throw new IllegalStateException(s"No keys come from ${other.nodeName}")
  }

  override def dataType: DataType = BinaryType

  override def nullable: Boolean = true

  override def withNewPlan(plan: BaseSubqueryExec): DynamicKeys = copy(plan = plan)

  override lazy val canonicalized: Expression =
    DynamicKeys(plan.canonicalized.asInstanceOf[BaseSubqueryExec], keyType, ExprId(0))

  override def toString: String = plan.name
}
