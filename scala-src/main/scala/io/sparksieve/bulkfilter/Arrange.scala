package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.expressions.{And, Expression, Or, PredicateHelper}

import io.sparksieve.common.CannotFail

/**
 * Merges the leaves of a predicate that ask one key, and orders what is under an AND or OR by its
 * points, at every level from below. Only what consists of leaves alone, whose keys cannot fail,
 * changes places, and only with what stands beside it: other predicates may guard what follows.
 */
private[bulkfilter] object Arrange extends PredicateHelper {

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
    // What was merged into one may belong to the parts of a level above.
    else if (isAnd) ordered.reduce(And(_, _))
    else ordered.reduce(Or(_, _))
  }

  private def byPoints(parts: Seq[Expression]): Seq[Expression] = {
    val runs = parts.foldLeft(Vector.empty[Vector[Expression]]) {
      case (done :+ last, next) if isPure(last.head) && isPure(next) => done :+ (last :+ next)
      case (done, next) => done :+ Vector(next)
    }
    // Stable: what has the same points stays as it was written.
    runs.flatMap(run => run.sortBy(Points(_)))
  }

  private def isPure(e: Expression): Boolean = Points.isTree(e) && e.deterministic && CannotFail(e)
}
