// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningExpression, NamedExpression}
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

import io.sparksieve.dynamicfilter.optimize.KeyCaps

/** Converts the physical form of a dynamic filter's source, as Spark planned it, to keys. */
private[exec] object PhysicalKeySource {

  /**
   * The keys of the filter's source; None if Spark has dropped the subquery or planned it in an
   * unknown form.
   */
  def apply(filter: DynamicFilterExec): Option[DynamicKeys] = {
    import filter.learnedFrom.pinned
    val keyType = filter.key.dataType
    val caps = KeyCaps(SQLConf.get)
    def ofBroadcast(broadcast: SubqueryBroadcastExec) = keys(broadcast, caps, keyType) {
      KeysSubqueryExec(
        broadcast.name,
        Some(BroadcastIndex(broadcast)),
        broadcast.buildKeys,
        caps,
        pinned,
        broadcast.child)
    }
    filter.source match {
      case copied: CopysSubquery => Some(ofBroadcast(copied.planned(filter)))
      case DynamicPruningExpression(in: InSubqueryExec) =>
        original(in.plan) match {
          case broadcast: SubqueryBroadcastExec => Some(ofBroadcast(broadcast))
          case _ => None
        }
      case scalar: ScalarSubquery =>
        val subquery = original(scalar.plan)
        // Not Spark's subquery itself: it would hold one of Spark's few threads for subqueries, and
        // wait there for the keys of the filters inside it, which need such threads too.
        Some(
          keys(subquery, caps, keyType)(
            KeysSubqueryExec(subquery.name, None, Nil, caps, pinned, subquery.child)))
      case _ => None
    }
  }

  /** The subquery itself, if `plan` stands for one that is used elsewhere too. */
  def original(plan: BaseSubqueryExec): BaseSubqueryExec = plan match {
    case ReusedSubqueryExec(reused) => original(reused)
    case other => other
  }

  /** Two filters with the same subquery, such as those of a union's branches, share its keys. */
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
