package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{
  DynamicPruningExpression,
  Expression,
  Literal,
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

  /** The source as keys; None if it is none of the forms known here. */
  def apply(source: Expression, keyType: DataType): Option[DynamicKeys] = {
    val caps = KeyCaps(SQLConf.get)
    source match {
      case DynamicPruningExpression(in: InSubqueryExec) =>
        subquery(in.plan).collect { case broadcast: SubqueryBroadcastExec =>
          keys(broadcast, caps, keyType) {
            KeysSubqueryExec(
              broadcast.name,
              Some(BroadcastIndex(broadcast)),
              broadcast.buildKeys,
              caps,
              broadcast.child)
          }
        }
      case scalar: ScalarSubquery =>
        subquery(scalar.plan).map(s =>
          keys(s, caps, keyType)(KeysSubqueryExec(s.name, None, Nil, caps, s)))
      case _ => None
    }
  }

  /** Whether Spark has given up the subquery: the join's broadcast is not there to be reused. */
  def gaveUp(source: Expression): Boolean = source match {
    case DynamicPruningExpression(Literal.TrueLiteral) => true
    case Literal.TrueLiteral => true
    case _ => false
  }

  private def subquery(plan: BaseSubqueryExec): Option[BaseSubqueryExec] = plan match {
    case ReusedSubqueryExec(original) => subquery(original)
    case other => Some(other)
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
