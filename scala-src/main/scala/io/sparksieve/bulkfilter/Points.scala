package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.expressions._

/**
 * What a tree of leaves costs before anything is known of it: a leaf 0.1, AND the product of its
 * parts, OR ten times their sum.
 */
private[bulkfilter] object Points extends PredicateHelper {

  final val Leaf = 0.1

  def all(parts: Seq[Double]): Double = parts.product

  def any(parts: Seq[Double]): Double = parts.sum * 10

  /** Whether it is made of leaves, AND, OR, NOT and constants for NULL alone. */
  def isTree(e: Expression): Boolean = e match {
    case _: BulkLeaf => true
    case Coalesce(Seq(child, _: Literal)) => isTree(child)
    case _: And | _: Or | _: Not => e.children.forall(isTree)
    case _ => false
  }

  /** The points of a tree; what has no leaf in it does not count. */
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
