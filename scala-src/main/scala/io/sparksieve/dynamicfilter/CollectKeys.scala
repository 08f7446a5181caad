package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  AttributeSet,
  Expression
}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}
import org.apache.spark.sql.types.BinaryType

/**
 * The distinct keys of a join's side as one row with one binary column, a serialised
 * [[io.sparksieve.keyset.KeySet]]; NULL if there are more than the caps allow.
 *
 * @param joinKeys
 *   all keys of the join on this side, so that the side is shuffled just as for the join, and
 *   Spark reuses that shuffle
 * @param index
 *   which of them is collected
 */
final case class CollectKeys(
    joinKeys: Seq[Expression],
    index: Int,
    caps: KeyCaps,
    output: Seq[Attribute],
    child: LogicalPlan)
    extends UnaryNode {

  // Made here and nowhere below: without this, adaptive execution takes the plan for invalid.
  override def producedAttributes: AttributeSet = outputSet

  override def maxRows: Option[Long] = Some(1)

  override protected def withNewChildInternal(newChild: LogicalPlan): CollectKeys =
    copy(child = newChild)
}

object CollectKeys {

  def apply(joinKeys: Seq[Expression], index: Int, caps: KeyCaps, child: LogicalPlan): CollectKeys =
    CollectKeys(joinKeys, index, caps, Seq(AttributeReference("keys", BinaryType)()), child)
}
