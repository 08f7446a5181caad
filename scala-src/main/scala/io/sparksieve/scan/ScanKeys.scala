// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import scala.reflect.ClassTag

import org.apache.spark.sql.catalyst.expressions.{Expression, Unevaluable}
import org.apache.spark.sql.catalyst.trees.LeafLike
import org.apache.spark.sql.execution.{BaseSubqueryExec, ExecSubqueryExpression, ReusedSubqueryExec}
import org.apache.spark.sql.types.{BinaryType, DataType}

import io.sparksieve.keyset.KeySet
import io.sparksieve.report.core.Features

/** Keys by which a scan may skip data that contains none of them. */
private[sparksieve] abstract class ScanKeys
    extends ExecSubqueryExpression
    with LeafLike[Expression]
    with Unevaluable {

  /** The type of the keys. */
  def keyType: DataType

  /** The keys, once Spark has waited for them; None if unknown, and then nothing may be skipped. */
  def keys: Option[KeySet]

  /** The feature in whose report the skipped data appears. */
  def feature: String = Features.DynamicFilter

  /** The subquery of type `S`, or the equal one elsewhere in the query that Spark runs in its place. */
  protected def subqueryOf[S <: BaseSubqueryExec: ClassTag]: S = plan match {
    case own: S => own
    case ReusedSubqueryExec(other: S) => other
    case other => throw new IllegalStateException(s"No keys come from ${other.nodeName}")
  }

  protected def canonicalPlan: BaseSubqueryExec = plan.canonicalized.asInstanceOf[BaseSubqueryExec]

  override def dataType: DataType = BinaryType

  override def toString: String = plan.name
}
