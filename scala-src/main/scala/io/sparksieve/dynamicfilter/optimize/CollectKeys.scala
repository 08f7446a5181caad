// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  AttributeSet,
  Expression
}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}
import org.apache.spark.sql.types.BinaryType

/**
 * Collects the distinct keys of one side of a join into one row with one binary column: a
 * serialised [[io.sparksieve.keyset.KeySet]], or NULL if the caps allow none.
 *
 * @param joinKeys
 *   all keys of the join on this side; the side is then shuffled exactly as for the join, and
 *   Spark reuses that exchange
 * @param index
 *   the position in `joinKeys` of the key to collect
 */
private[dynamicfilter] final case class CollectKeys(
    joinKeys: Seq[Expression],
    index: Int,
    caps: KeyCaps,
    output: Seq[Attribute],
    child: LogicalPlan)
    extends UnaryNode {

  // This operator creates its output; without this, adaptive execution rejects the plan as invalid.
  override def producedAttributes: AttributeSet = outputSet

  // In EXPLAIN, only the key.
  override protected def stringArgs: Iterator[Any] = Iterator(joinKeys(index))

  override def maxRows: Option[Long] = Some(1)

  override protected def withNewChildInternal(newChild: LogicalPlan): CollectKeys =
    copy(child = newChild)
}

private[dynamicfilter] object CollectKeys {

  def apply(joinKeys: Seq[Expression], index: Int, caps: KeyCaps, child: LogicalPlan): CollectKeys =
    CollectKeys(joinKeys, index, caps, Seq(AttributeReference("keys", BinaryType)()), child)
}
