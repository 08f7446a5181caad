// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import org.apache.spark.sql.catalyst.expressions.{And, Expression, Or, PredicateHelper}

import io.sparksieve.common.CannotFail

/**
 * Merges the leaves of a predicate that test one key, and orders the parts of each AND and OR by
 * their points, bottom-up. Only deterministic parts that consist of leaves alone, with keys that
 * cannot fail, are reordered, and only among neighbours: other predicates may guard the predicates
 * that follow them.
 */
private[bulkfilter] object ReorderMembershipPredicates extends PredicateHelper {

  def apply(e: Expression): Expression = e match {
    case and: And =>
      rebuilt(and, splitConjunctivePredicates(and), isAnd = true)
    case or: Or =>
      rebuilt(or, splitDisjunctivePredicates(or), isAnd = false)
    case other => other.mapChildren(apply)
  }

  private def rebuilt(whole: Expression, parts: Seq[Expression], isAnd: Boolean): Expression = {
    val below = parts.map(apply)
    val merged = MergeLeaves(below, isAnd)
    val ordered = byPoints(merged)
    val same = ordered.size == parts.size && ordered.zip(parts).forall { case (a, b) => a eq b }
    if (same) whole
    // If all parts were merged into one, the result becomes a part of the level above.
    else if (isAnd) ordered.reduce(And(_, _))
    else ordered.reduce(Or(_, _))
  }

  private def byPoints(parts: Seq[Expression]): Seq[Expression] = {
    val runs = parts.foldLeft(Vector.empty[Vector[Expression]]) {
      case (done :+ last, next) if isPure(last.head) && isPure(next) => done :+ (last :+ next)
      case (done, next) => done :+ Vector(next)
    }
    // A stable sort: parts with equal points stay in the order in which they were written.
    runs.flatMap(run => run.sortBy(Points(_)))
  }

  private def isPure(e: Expression): Boolean = Points.isTree(e) && e.deterministic && CannotFail(e)
}
