// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import org.apache.spark.sql.catalyst.expressions._

import io.sparksieve.bulkfilter.expr.BulkLeaf

/**
 * The cost of a tree of leaves before anything has been measured: 0.1 for a leaf, the product of
 * the parts for AND, ten times their sum for OR.
 */
private[bulkfilter] object Points extends PredicateHelper {

  final val Leaf = 0.1

  def all(parts: Seq[Double]): Double = parts.product

  def any(parts: Seq[Double]): Double = parts.sum * 10

  /** Whether `e` consists only of leaves, AND, OR, NOT, and coalesce with a literal. */
  def isTree(e: Expression): Boolean = e match {
    case _: BulkLeaf => true
    case Coalesce(Seq(child, _: Literal)) => isTree(child)
    case _: And | _: Or | _: Not => e.children.forall(isTree)
    case _ => false
  }

  /** The points of a tree. Parts of an AND or OR without a leaf are ignored. */
  def apply(e: Expression): Double = e match {
    case and: And => all(counted(splitConjunctivePredicates(and)))
    case or: Or => any(counted(splitDisjunctivePredicates(or)))
    case Not(child) => apply(child)
    case Coalesce(Seq(child, _: Literal)) => apply(child)
    case _ => Leaf
  }

  private def counted(parts: Seq[Expression]) =
    parts.filter(_.exists(_.isInstanceOf[BulkLeaf])) match {
      case Seq() => Seq(Leaf)
      case some => some.map(apply)
    }
}
