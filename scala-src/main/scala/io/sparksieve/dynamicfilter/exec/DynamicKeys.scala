// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.expressions.{ExprId, Expression}
import org.apache.spark.sql.execution.BaseSubqueryExec
import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset.{KeySet, SharedKeys}
import io.sparksieve.scan.ScanKeys

/**
 * The keys of a [[KeysSubqueryExec]], as an expression of the operators that use them: Spark runs
 * the subqueries of an operator's expressions before the operator.
 *
 * @param plan
 *   a [[KeysSubqueryExec]], or a ReusedSubqueryExec of an equal one elsewhere in the query
 * @param keyType
 *   the type of the keys
 */
private[dynamicfilter] final case class DynamicKeys(
    plan: BaseSubqueryExec,
    keyType: DataType,
    exprId: ExprId)
    extends ScanKeys {

  /**
   * The keys, once [[updateResult]] has run. None if they could not be collected; then no row may
   * be dropped.
   */
  override def keys: Option[KeySet] = collected.map(_.value)

  /** The keys as a broadcast for the tasks; None as for [[keys]]. */
  def collected: Option[SharedKeys] = {
    require(updated, s"$this has not been waited for")
    result
  }

  // Not part of the expression's equality, and not used by tasks.
  @transient @volatile private var updated = false
  @transient @volatile private var result: Option[SharedKeys] = None

  override def updateResult(): Unit = {
    result = subquery.await()
    updated = true
  }

  /** The subquery that collects the keys. */
  def subquery: KeysSubqueryExec = subqueryOf[KeysSubqueryExec]

  override def nullable: Boolean = true

  override def withNewPlan(plan: BaseSubqueryExec): DynamicKeys = copy(plan = plan)

  override lazy val canonicalized: Expression = DynamicKeys(canonicalPlan, keyType, ExprId(0))
}
