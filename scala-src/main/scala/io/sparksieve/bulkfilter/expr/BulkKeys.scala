// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.expr

import org.apache.spark.sql.catalyst.expressions.{ExprId, Expression, NamedExpression}
import org.apache.spark.sql.execution.BaseSubqueryExec
import org.apache.spark.sql.types.DataType

import io.sparksieve.bulkfilter.load.{LeafCounts, LoadKeysExec, OneSet, ValueSet}
import io.sparksieve.common.NeverFails
import io.sparksieve.keyset.KeySet
import io.sparksieve.report.core.Features
import io.sparksieve.scan.ScanKeys

/**
 * The values of a leaf. Spark reads them before it runs the operator that evaluates the leaf.
 *
 * @param plan
 *   a [[LoadKeysExec]]
 * @param keyType
 *   the type of the key, or of its first column
 */
private[bulkfilter] final case class BulkKeys(
    plan: BaseSubqueryExec,
    keyType: DataType,
    exprId: ExprId)
    extends ScanKeys
    with NeverFails {

  // Not part of the expression's identity.
  @volatile private var result: ValueSet[OneSet] = _
  @volatile private var lastCounts: Option[LeafCounts] = None

  /** The loaded values, available once Spark has waited for them. */
  def membership: ValueSet[OneSet] = {
    require(result != null, s"$this has not been waited for")
    result
  }

  /** Metrics of the rows that probe values side by side ([[SideBySide]]), for a report. */
  private[bulkfilter] def counts: Option[LeafCounts] = lastCounts

  override def updateResult(): Unit = {
    result = subquery.await()
    lastCounts = subquery.counts
  }

  /** The keys, if the values are held in one set: no row whose key is not in it can match. */
  override def keys: Option[KeySet] = Seq(membership).collectFirst { case OneSet(shared) =>
    shared.value
  }

  override def feature: String = Features.BulkFilter

  /** The subquery that reads the values. */
  def subquery: LoadKeysExec = subqueryOf[LoadKeysExec]

  override def nullable: Boolean = false

  override def withNewPlan(plan: BaseSubqueryExec): BulkKeys = copy(plan = plan)

  override lazy val canonicalized: Expression = BulkKeys(canonicalPlan, keyType, ExprId(0))
}

private[bulkfilter] object BulkKeys {
  def apply(plan: LoadKeysExec, keyType: DataType): BulkKeys =
    BulkKeys(plan, keyType, NamedExpression.newExprId)
}
