// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.INSET

import io.sparksieve.bulkfilter.expr.{AndThen, InFile}
import io.sparksieve.bulkfilter.load.{FileKeys, KeysTooLargeException}
import io.sparksieve.common.{CannotFail, SameExpression}

/**
 * Replaces leaves whose values do not fit into memory by joins, as Spark does for EXISTS:
 * {{{
 *   Filter a IN f AND NOT b IN g AND c > 1        LeftAnti b = g
 *   +- child                                =>    +- LeftSemi a = f
 *                                                    +- Filter c > 1 AND b IS NOT NULL
 *                                                       +- child
 *   Project a IN f                          =>    Project if(a IS NULL, NULL, exists)
 *   +- child                                      +- ExistenceJoin a = f
 *                                                    +- child
 * }}}
 * Predicates that need no join run before the joins. Semi-joins run before anti-joins, and within
 * each kind the smaller files come first. A predicate that can fail, because of its key or
 * otherwise, is never moved ahead of a predicate written before it, and is not evaluated for rows
 * that those predicates drop.
 *
 * @throws KeysTooLargeException
 *   for a leaf that joins cannot answer ([[JoinableLeaves]])
 */
private[bulkfilter] final class JoinLargeKeys(session: SparkSession, large: Seq[FileKeys])
    extends PredicateHelper {

  private val values = new LargeValues(session)

  private val joinable = new JoinableLeaves(_.members.leaves.exists(large.contains))
  import joinable.{in, only}

  def apply(plan: LogicalPlan): LogicalPlan = {
    joinable.obstacle(plan).foreach { found =>
      val files = found.leaf.members.leaves.filter(large.contains)
      KeysTooLargeException.refuse(session, files, found.why)
    }
    plan.transformUpWithPruning(_.containsPattern(INSET)) {
      case node if has(node.expressions) => joined(node)
    }
  }

  private def has(expressions: Seq[Expression]) = expressions.exists(in(_).nonEmpty)

  private def joined(node: LogicalPlan): LogicalPlan = node match {
    case Filter(condition, child) => filtered(splitConjunctivePredicates(condition), child)
    case join: Join if join.joinType.isInstanceOf[InnerLike] => ofInner(join)
    case join: Join => ofJoin(join)
    case aggregate: Aggregate => ofAggregate(aggregate)
    case unary: UnaryNode =>
      val (below, answers) = answered(unary.expressions, unary.child)
      val made = replaced(unary.withNewChildren(Seq(below)), answers)
      if (made.output == unary.output) made else Project(unary.output, made)
    case other => throw new IllegalStateException(s"No join replaces ${other.nodeName}.")
  }

  private def cannotFail(e: Expression) = e.deterministic && CannotFail(e)

  private def filtered(parts: Seq[Expression], child: LogicalPlan): LogicalPlan = {
    val (before, rest) = parts.span(in(_).isEmpty)
    // A predicate that cannot fail may be moved ahead of predicates written before it.
    val (free, bound) = rest.partition(cannotFail)
    val (hard, plain) = free.filter(only(_).isEmpty).partition(in(_).nonEmpty)
    val joins = free.filter(only(_).nonEmpty).sortBy { part =>
      only(part).map { case (leaf, denied) => (denied, bytes(leaf)) }
    }
    val notNull = joins.flatMap(only(_)).collect { case (leaf, true) => isKnown(leaf) }.flatten
    val rows = below(plain ++ notNull, below(before, child))
    val (after, later) = bound.span(in(_).isEmpty)
    // Predicates in `after` can fail and wait for an answer in a column. If no other predicate has
    // one, the last semi- or anti-join becomes an existence join.
    val (first, last) =
      if (after.isEmpty || hard.nonEmpty) (joins, hard) else (joins.init, joins.takeRight(1))
    val thin = decided(last, after, first.foldLeft(rows)(kept))
    if (free.exists(in(_).nonEmpty)) steps(later, thin)
    else
      later match {
        case part +: others if only(part).nonEmpty && others.headOption.forall(in(_).nonEmpty) =>
          val known = only(part).toSeq.collect { case (leaf, true) => isKnown(leaf) }.flatten
          steps(others, kept(below(known, thin), part))
        case _ => steps(later, thin)
      }
  }

  /** Applies predicates one after another, in the order as written; the first one has a leaf. */
  private def steps(parts: Seq[Expression], rows: LogicalPlan): LogicalPlan = parts match {
    case part +: others =>
      val (after, later) = others.span(in(_).isEmpty)
      steps(later, decided(Seq(part), after, rows))
    case _ => rows
  }

  private def below(parts: Seq[Expression], rows: LogicalPlan) =
    parts.reduceOption(And(_, _)).fold(rows)(Filter(_, rows))

  private def isKnown(leaf: InFile) = leaf.keys.filter(_.nullable).map(IsNotNull(_))

  private def kept(rows: LogicalPlan, part: Expression): LogicalPlan =
    only(part).fold(rows) { case (leaf, denied) =>
      values.join(rows, leaf, leaf.keys.indices, if (denied) LeftAnti else LeftSemi)
    }

  /**
   * Keeps the rows for which the predicates in `parts`, with leaves anywhere in them, are true, and
   * then the predicates in `after`, which have no leaf.
   *
   * Uses existence joins, because Spark would push the predicates in `after` below a semi-join.
   */
  private def decided(
      parts: Seq[Expression],
      after: Seq[Expression],
      rows: LogicalPlan): LogicalPlan =
    if (parts.isEmpty) rows
    else {
      val (below, answers) = answered(parts, rows)
      val answer = parts.map(answers).reduce(And(_, _))
      val whole =
        if (after.isEmpty && cannotFail(answer)) answer
        else AndThen(answer, after.reduceOption(And(_, _)).getOrElse(Literal.TrueLiteral))
      Project(rows.output, Filter(whole, below))
    }

  private def bytes(leaf: InFile): Long =
    leaf.members.leaves.flatMap(_.entry).flatMap(_.files).flatten.map(_.bytes).sum

  /**
   * Adds the answer of each large leaf to the rows by existence joins. The returned function
   * replaces the leaves of an expression by these answers.
   */
  private def answered(
      expressions: Seq[Expression],
      child: LogicalPlan): (LogicalPlan, Expression => Expression) = {
    val leaves = expressions.flatMap(in).foldLeft(Vector.empty[InFile]) { (known, leaf) =>
      if (known.exists(isSame(_, leaf))) known else known :+ leaf
    }
    val start = (child, Vector.empty[(InFile, Expression)])
    val (below, answers) = leaves.sortBy(bytes).foldLeft(start) { case ((plan, done), leaf) =>
      val (next, answer) = values.exists(plan, leaf)
      (next, done :+ (leaf -> answer))
    }
    val put = (e: Expression) =>
      e.transform { case leaf: InFile =>
        answers
          .collectFirst { case (l, answer) if isSame(l, leaf) => answer }
          .getOrElse(leaf)
      }
    (below, put)
  }

  private def isSame(a: InFile, b: InFile) =
    a.members == b.members && SameExpression(a.keys, b.keys)

  private def replaced(node: LogicalPlan, put: Expression => Expression): LogicalPlan =
    node.mapExpressions(put)

  /**
   * Moves the predicates with leaves, and later predicates that can fail, from the condition of an
   * inner join into a filter above it. The others stay, so that Spark can use them as join keys.
   */
  private def ofInner(join: Join): LogicalPlan = {
    val parts = join.condition.toSeq.flatMap(splitConjunctivePredicates)
    val (before, rest) = parts.span(in(_).isEmpty)
    val (plain, above) = rest.partition(p => in(p).isEmpty && cannotFail(p))
    filtered(above, join.copy(condition = (before ++ plain).reduceOption(And(_, _))))
  }

  private def ofJoin(join: Join): LogicalPlan = {
    val (ofLeft, ofRight) = join.condition.toSeq
      .flatMap(in)
      .partition(_.references.subsetOf(join.left.outputSet))
    val (left, putLeft) = answered(ofLeft, join.left)
    val (right, putRight) = answered(ofRight, join.right)
    val condition = join.condition.map(c => putRight(putLeft(c)))
    Project(join.output, join.copy(left = left, right = right, condition = condition))
  }

  /**
   * Leaves in the grouping or in aggregate functions are answered for the rows, below the
   * aggregate; other leaves are answered for the groups, above it.
   */
  private def ofAggregate(aggregate: Aggregate): LogicalPlan = {
    val grouping = aggregate.groupingExpressions
    val rows = grouping ++ aggregate.aggregateExpressions.flatMap(_.collect {
      case a: AggregateExpression => a
    })
    if (has(rows)) {
      val (below, put) = answered(rows, aggregate.child)
      val made = aggregate
        .withNewChildren(Seq(below))
        .transformExpressions {
          case a: AggregateExpression => a.mapChildren(put)
          case e if grouping.exists(_.semanticEquals(e)) =>
            put(grouping.find(_.semanticEquals(e)).get)
        }
      if (has(made.expressions)) joined(made) else made
    } else {
      val groups = grouping.map {
        case named: NamedExpression => named
        case e => Alias(e, "group")()
      }
      val aggregates = aggregate.aggregateExpressions
        .flatMap(_.collect { case a: AggregateExpression => a })
        .map(a => Alias(a, "aggregate")())
      def above(e: Expression): Expression = {
        val known = groups
          .collectFirst {
            case Alias(g, _) if g.semanticEquals(e) =>
              groups
                .find {
                  case Alias(x, _) => x.semanticEquals(e)
                  case _ => false
                }
                .get
                .toAttribute
            case a: Attribute if a.semanticEquals(e) => a
          }
          .orElse(aggregates.collectFirst {
            case alias if alias.child.semanticEquals(e) => alias.toAttribute
          })
        known.getOrElse(e.mapChildren(above))
      }
      val inner = Aggregate(grouping, groups ++ aggregates, aggregate.child)
      val outer = aggregate.aggregateExpressions.map(e => above(e).asInstanceOf[NamedExpression])
      joined(Project(outer, inner))
    }
  }
}
