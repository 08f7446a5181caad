package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

/**
 * The proof that two plans compute the same rows from the same leaves, and which column is which:
 * the same operators over the same operators, with arguments that are [[SameExpression written the
 * same way]]. Aliases of relations, views and hints do not count, nor names. Spark's
 * `sameResult` does not prove that, for the reasons that are given there.
 */
object SamePlan {

  /** Which columns of the right plan stand for which of the left. */
  type Columns = AttributeMap[Attribute]

  /**
   * On success, the attributes of `right`'s output mapped to those of `left`'s.
   *
   * @param leaves
   *   the same for two leaves of one class
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

  private def plain(plan: LogicalPlan): LogicalPlan = plan match {
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
