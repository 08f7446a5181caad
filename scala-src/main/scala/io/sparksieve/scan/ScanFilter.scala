// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Predicate, Unevaluable}
import org.apache.spark.sql.catalyst.trees.BinaryLike

/**
 * Keys for a column of a scan. It is an expression so that Spark finds the keys in the operator:
 * Spark runs and reuses their subquery, and distinguishes operators by their filters.
 *
 * @param column
 *   a column of the scan's output
 * @param keys
 *   keys of the column's type, or of a wider type to which the column is cast without loss
 */
private[sparksieve] final case class ScanFilter(column: Attribute, keys: ScanKeys)
    extends Predicate
    with BinaryLike[Expression]
    with Unevaluable {

  override def left: Expression = column

  override def right: Expression = keys

  override def nullable: Boolean = false

  override def toString: String = s"$column IN ${keys.plan.name}"

  override protected def withNewChildrenInternal(
      newLeft: Expression,
      newRight: Expression): ScanFilter =
    copy(column = newLeft.asInstanceOf[Attribute], keys = newRight.asInstanceOf[ScanKeys])
}
