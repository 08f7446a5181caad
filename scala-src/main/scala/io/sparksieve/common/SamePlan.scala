// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

/**
 * Proves that two plans compute the same rows from the same leaves, and maps their columns: both
 * have the same tree of operators, with arguments that are [[SameExpression written the same way]].
 * Relation aliases, views, hints and names are ignored. Spark's `sameResult` does not prove this,
 * for the reasons given at [[SameExpression]].
 */
private[sparksieve] object SamePlan {

  /** Maps columns of the right plan to the columns of the left plan that they correspond to. */
  type Columns = AttributeMap[Attribute]

  /**
   * Maps the attributes of `right`'s output to those of `left`'s; None without a proof.
   *
   * @param leaves
   *   does so for two leaves of the same class
   */
  def apply(left: LogicalPlan, right: LogicalPlan)(
      leaves: (LogicalPlan, LogicalPlan) => Option[Columns]): Option[Columns] =
    (plain(left), plain(right)) match {
      case (l, r) if l.getClass != r.getClass || l.children.length != r.children.length => None
      case (l, r) if l.children.isEmpty => leaves(l, r)
      case (l, r) =>
        val below = l.children.zip(r.children).foldLeft(Option(Seq.empty[Columns])) {
          case (Some(known), (a, b)) => apply(a, b)(leaves).map(known :+ _)
          case (None, _) => None
        }
        below.filter(sameOperator(l, r, _)).map(_ => AttributeMap(r.output.zip(l.output)))
    }

  /** `plan` without the operators at its root that change nothing. */
  def plain(plan: LogicalPlan): LogicalPlan = plan match {
    case SubqueryAlias(_, child) => plain(child)
    case v: View => plain(v.child)
    case h: ResolvedHint => plain(h.child)
    case other => other
  }

  private def sameOperator(left: LogicalPlan, right: LogicalPlan, below: Seq[Columns]) = {
    val made = left.outputSet ++ left.producedAttributes -- left.inputSet
    def sameColumn(l: Attribute, r: Attribute) =
      below.flatMap(_.get(r)) match {
        case Seq() => made.contains(l)
        case known => known.forall(_.exprId == l.exprId)
      }
    left.output.length == right.output.length &&
    left.output.zip(right.output).forall { case (l, r) => l.dataType == r.dataType } &&
    SameExpression.args(left, right, sameColumn) {
      case _: LogicalPlan | _: JoinHint => true
      case children: Seq[_] => children.nonEmpty && children.forall(_.isInstanceOf[LogicalPlan])
      case _ => false
    }
  }
}
