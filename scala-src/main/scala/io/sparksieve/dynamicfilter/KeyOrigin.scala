package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{
  DynamicPruningExpression,
  Expression,
  NamedExpression
}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{
  BaseSubqueryExec,
  InSubqueryExec,
  ReusedSubqueryExec,
  ScalarSubquery,
  SubqueryBroadcastExec
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType

/** Reads the physical form that Spark has given to the source of a dynamic filter. */
object KeyOrigin {

  /**
   * The source as keys; None if Spark has given it up, or has given it a form not known here.
   *
   * @param pinned
   *   whether the side that has the keys gives the same rows whenever it is read
   */
  def apply(source: Expression, keyType: DataType, pinned: Boolean): Option[DynamicKeys] = {
    val caps = KeyCaps(SQLConf.get)
    source match {
      case DynamicPruningExpression(in: InSubqueryExec) =>
        original(in.plan) match {
          case broadcast: SubqueryBroadcastExec =>
            Some(keys(broadcast, caps, keyType) {
              KeysSubqueryExec(
                broadcast.name,
                Some(BroadcastIndex(broadcast)),
                broadcast.buildKeys,
                caps,
                pinned,
                broadcast.child)
            })
          case _ => None
        }
      case scalar: ScalarSubquery =>
        val subquery = original(scalar.plan)
        Some(
          keys(subquery, caps, keyType)(
            KeysSubqueryExec(subquery.name, None, Nil, caps, pinned, subquery)))
      case _ => None
    }
  }

  private def original(plan: BaseSubqueryExec): BaseSubqueryExec = plan match {
    case ReusedSubqueryExec(reused) => original(reused)
    case other => other
  }

  /** Two filters with one subquery, such as those of a union's branches, share its keys. */
  private def keys(subquery: BaseSubqueryExec, caps: KeyCaps, keyType: DataType)(
      make: => KeysSubqueryExec): DynamicKeys = {
    val shared = subquery.synchronized {
      subquery.getTagValue(Collected).filter(_.caps == caps).getOrElse {
        val made = make
        subquery.setTagValue(Collected, made)
        made
      }
    }
    DynamicKeys(shared, keyType, NamedExpression.newExprId)
  }

  private val Collected = TreeNodeTag[KeysSubqueryExec]("sieve.dynamicfilter.keys")
}
