// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.INSET

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.common.CannotFail
import io.sparksieve.common.order.RowOrder

/**
 * Decides which leaves joins can answer ([[JoinLargeKeys]]) with the same rows and errors as sets
 * in memory. A join computes the key of each row that reaches it, even if the expression around the
 * leaf would not have evaluated the key, and it changes the order and the partitions of the rows.
 * So these rules apply:
 *
 *   1. the leaf is in a Filter, Project, Aggregate or Sort, in the expressions by which rows are
 *      distributed, or in the condition of an inner, outer, semi- or anti-join; except for an inner
 *      join, the columns of the key are all of one side;
 *   1. if its operator has one input, that input is not sorted by an ORDER BY, whose order a join
 *      would not keep;
 *   1. the key consists of columns of the operator's input only: it has no column of an outer
 *      query, no element of an array or map, and no large leaf;
 *   1. the key is deterministic, because it is computed more than once;
 *   1. the key cannot fail ([[CannotFail]]), unless the leaf or its negation is a conjunct of a
 *      Filter or inner join: joins answer the conjuncts that can fail in the order as written;
 *   1. no expression of the operator or above it depends on the order or partitions of the rows, as
 *      `monotonically_increasing_id`, `input_file_name` and `rand(1)` do, unless it is evaluated
 *      before the join.
 */
private[bulkfilter] final class JoinableLeaves(isLarge: InFile => Boolean) extends PredicateHelper {
  import JoinableLeaves._

  /** The first leaf, from the bottom up, that joins cannot answer, and the reason. */
  def obstacle(plan: LogicalPlan): Option[Obstacle] =
    if (!plan.containsPattern(INSET)) None
    else {
      val below = plan.children.iterator.flatMap(obstacle(_)).toSeq.headOption
      below.orElse(here(plan)).orElse {
        first(plan).flatMap(leaf => ofPlacement(plan).map(Obstacle(leaf, _)))
      }
    }

  /** The large leaves of an expression, which must be answered by joins. */
  def in(e: Expression): Seq[InFile] = InFile.in(e).filter(isLarge)

  /** The leaf of a predicate that is only a large leaf or its negation; true if it is negated. */
  def only(e: Expression): Option[(InFile, Boolean)] = e match {
    case leaf: InFile if isLarge(leaf) => Some((leaf, false))
    // A key of several columns with a NULL in one of them may still match no row. NOT is true for
    // that key, but an anti-join would drop it.
    case Not(leaf: InFile) if isLarge(leaf) && (leaf.keys.size == 1 || !leaf.nullable) =>
      Some((leaf, true))
    case _ => None
  }

  private def first(plan: LogicalPlan): Option[InFile] =
    plan.collect { case node => node.expressions.flatMap(in) }.flatten.headOption

  private def here(node: LogicalPlan): Option[Obstacle] =
    if (node.expressions.forall(in(_).isEmpty)) None
    else
      node match {
        case unary: UnaryNode if isOrdered(unary.child) =>
          first(node).map(
            Obstacle(_, "it is evaluated above an ORDER BY, and a join does not keep the order"))
        case Filter(condition, child) => predicates(condition, child.outputSet)
        case j: Join if j.joinType.isInstanceOf[InnerLike] =>
          j.condition.flatMap(predicates(_, j.outputSet))
        case j @ Join(_, _, LeftOuter | RightOuter | FullOuter | LeftSemi | LeftAnti, Some(c), _) =>
          within(c, Seq(j.left.outputSet, j.right.outputSet))
        case _: Project | _: Aggregate | _: Sort | _: RepartitionByExpression =>
          firstOf(node.expressions)(within(_, node.children.map(_.outputSet)))
        case other =>
          first(other).map(
            Obstacle(
              _,
              s"it is evaluated by the operator ${other.nodeName}, which no join replaces"))
      }

  private def isOrdered(plan: LogicalPlan): Boolean = plan match {
    case s: Sort => s.global || isOrdered(s.child)
    case _: Project | _: Filter | _: GlobalLimit | _: LocalLimit | _: Offset | _: SubqueryAlias =>
      isOrdered(plan.children.head)
    case _ => false
  }

  private def predicates(condition: Expression, rows: AttributeSet): Option[Obstacle] =
    firstOf(splitConjunctivePredicates(condition)) { part =>
      only(part) match {
        case Some((leaf, _)) => ofKey(leaf, Seq(rows)).map(Obstacle(leaf, _))
        case None => within(part, Seq(rows))
      }
    }

  /**
   * Finds a leaf anywhere in an expression that joins cannot answer.
   *
   * @param rows
   *   the columns of each input; those of a key must all be from one input
   */
  private def within(e: Expression, rows: Seq[AttributeSet]): Option[Obstacle] = e match {
    case leaf: InFile if isLarge(leaf) =>
      ofKey(leaf, rows)
        .orElse(
          leaf.keys
            .find(!cannotFail(_))
            .map(k => s"it is not evaluated for every row, and its key ${k.sql} can fail"))
        .map(Obstacle(leaf, _))
    case _ if in(e).isEmpty => None
    case s: PlanExpression[_] =>
      in(s).headOption.map(Obstacle(_, "its key is of the outer query of a correlated subquery"))
    case _ => firstOf(e.children)(within(_, rows))
  }

  /** An aggregate's result is computed for each group anyway, so it counts as a column here. */
  private def cannotFail(key: Expression): Boolean = CannotFail(key.transform {
    case a: AggregateExpression => BoundReference(0, a.dataType, a.nullable)
  })

  private def ofKey(leaf: InFile, rows: Seq[AttributeSet]): Option[String] = {
    def some(wanted: PartialFunction[Expression, Unit]) =
      leaf.keys.exists(_.exists(wanted.isDefinedAt))
    if (some { case _: NamedLambdaVariable => })
      Some("its key is an element of an array or map, and not a column")
    else if (!leaf.keys.forall(_.deterministic)) Some("its key is not deterministic")
    else if (leaf.keys.exists(in(_).nonEmpty)) Some("its key itself has such values")
    else if (some {
        case s: PlanExpression[_] if s.children.nonEmpty =>
        case _: OuterReference =>
      })
      Some("its key has a correlated subquery, or a column of an outer query")
    else if (!rows.exists(leaf.references.subsetOf(_)))
      Some("its key is of columns of both sides of an outer, semi- or anti-join")
    else None
  }

  /** Finds what depends on the order or partitions of rows, which joins change. */
  private def ofPlacement(node: LogicalPlan): Option[String] = node match {
    case _: Sample =>
      Some("the sample above it depends on order or partitions of the rows, which a join changes")
    case other => ofExpressions(other)
  }

  private def ofExpressions(node: LogicalPlan): Option[String] = {
    val above = node match {
      // Predicates written before the first leaf are evaluated before its join.
      case Filter(condition, _) =>
        val parts = splitConjunctivePredicates(condition)
        if (parts.exists(in(_).nonEmpty)) parts.dropWhile(in(_).isEmpty) else parts
      case other => other.expressions
    }
    firstOf(above)(_.find(RowOrder.matters)).map { e =>
      s"${e.sql} depends on order or partitions of the rows, which a join changes"
    }
  }

  private def firstOf[A, B](all: Seq[A])(found: A => Option[B]): Option[B] =
    all.iterator.flatMap(found(_)).toSeq.headOption
}

private[bulkfilter] object JoinableLeaves {

  /** @param why a clause that begins with "it" or "its", which mean the leaf */
  final case class Obstacle(leaf: InFile, why: String)
}
