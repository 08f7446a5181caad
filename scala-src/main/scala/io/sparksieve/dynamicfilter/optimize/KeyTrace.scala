// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.{CannotFail, SameExpression}
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.scan.KeyForm

/**
 * Traces a join key down to the scans that its values come from, and puts a filter there.
 *
 * A row may be dropped below an operator if all output rows that depend on it would be dropped
 * above. So the operator must pass the key through unchanged, and each output row may depend only
 * on input rows with the same key. That holds for
 *   1. deterministic filters, projections and generators, and the row ids of MERGE
 *      ([[MergeRowIds]]);
 *   1. aggregates and windows that group or partition by the key;
 *   1. sorts and repartitions;
 *   1. deterministic Python functions of one row;
 *   1. every branch of a union;
 *   1. both sides of an inner join: the key's own side, and the other side by a join key that
 *      equals the key;
 *   1. the left side of a left outer, semi, anti or existence join, and the right side of a right
 *      outer join, if the key belongs to that side.
 *
 * @param isShared
 *   whether a part of the plan must not change, because Spark computes it for other places too
 * @param rowIds
 *   the row ids of MERGE, below which a filter may be placed
 * @param place
 *   puts the filter on top of a scan with its filters and projections, or returns why not
 */
private[dynamicfilter] final class KeyTrace(
    place: KeyTrace.Place,
    rowIds: MergeRowIds,
    isShared: LogicalPlan => Boolean) {
  import KeyTrace._

  def apply(plan: LogicalPlan, key: Expression): Answer = trace(plan, key, Above())

  private def trace(plan: LogicalPlan, key: Expression, above: Above): Answer =
    plan match {
      case _ if KeyForm.column(key).forall(!plan.outputSet.contains(_)) => lost(plan)
      case _ if isShared(plan) =>
        Left(Refusal(Reason.SharedPart, s"it begins at ${plan.nodeName}"))
      case chain if isChain(chain) =>
        fallible(chain, key.references)
          .map(e => Left(Refusal(Reason.DeferredColumn, e.sql)))
          .getOrElse(place(Spot(chain, key, above)))
      case p @ Project(list, child) if list.forall(rowIds.allows) =>
        into(p, child, KeyForm.below(key, list), above)
      case f @ Filter(condition, child) if condition.deterministic =>
        into(f, child, Some(key), above)
      case f: DynamicFilter => into(f, f.child, Some(key), above)
      case a: Aggregate =>
        val grouped =
          KeyForm.below(key, a.aggregateExpressions).filter(isOneOf(a.groupingExpressions, a.child))
        into(a, a.child, grouped, above.exchanged)
      case w: Window =>
        into(w, w.child, Some(key).filter(isOneOf(w.partitionSpec, w.child)), above.exchanged)
      case s: Sort => into(s, s.child, Some(key), if (s.global) above.exchanged else above)
      case r: RepartitionOperation => into(r, r.child, Some(key), above.exchanged)
      case g: Generate if g.generator.deterministic =>
        into(g, g.child, Some(key), above)
      case p: BaseEvalPython if p.udfs.forall(CalledByRow(_)) =>
        into(p, p.child, Some(key), above.copy(python = true))
      case u: Union => branches(u, key, above)
      case j: Join => sides(j, key, above)
      case other => lost(other)
    }

  private def into(
      parent: UnaryNode,
      child: LogicalPlan,
      key: Option[Expression],
      above: Above): Answer =
    key
      .map(trace(child, _, above).map(below => parent.withNewChildren(Seq(below))))
      .getOrElse(lost(parent))

  /** Filters each branch that can be filtered; the others keep all their rows. */
  private def branches(union: Union, key: Expression, above: Above): Answer = {
    val position = union.output.indexWhere(o => KeyForm.column(key).exists(_.exprId == o.exprId))
    val answers = union.children.map { child =>
      val own = key.transformUp {
        case a: Attribute if a.exprId == union.output(position).exprId => child.output(position)
      }
      trace(child, own, above)
    }
    combined(union, answers)
  }

  private def sides(join: Join, key: Expression, above: Above): Answer = {
    val below = if (BroadcastJoin(join)) above else above.exchanged
    val keys = EqualKeys.below(join, Seq(key))
    if (keys.isEmpty) lost(join)
    else {
      val (left, right) = keys.partition(EqualKeys.inLeft(join, _))
      combined(
        join,
        Seq(join.left -> left, join.right -> right).map { case (side, own) =>
          own.headOption.map(trace(side, _, below)).getOrElse(Right(side))
        })
    }
  }

  /** The node with its filtered children; the first refusal if no child was filtered. */
  private def combined(node: LogicalPlan, answers: Seq[Answer]): Answer = {
    val children = answers.zip(node.children).map { case (a, c) => a.getOrElse(c) }
    val moved = answers.zip(node.children).exists { case (a, c) => a.exists(_ ne c) }
    if (moved) Right(node.withNewChildren(children))
    else answers.find(_.isLeft).getOrElse(lost(node))
  }

  private def isOneOf(
      expressions: Seq[Expression],
      child: LogicalPlan)(key: Expression): Boolean = {
    // A column may have several names, such as `id` and `x` above SELECT id, id AS x.
    val original: Expression => Expression = child match {
      case Project(list, _) =>
        val made = AttributeMap(list.collect { case a: Alias => a.toAttribute -> a.child })
        _.transformUp { case a: Attribute => made.getOrElse(a, a) }
      case _ => identity
    }
    KeyForm.column(key).map(original).exists { column =>
      column.deterministic && expressions.exists(original(_).semanticEquals(column))
    }
  }
}

private[dynamicfilter] object KeyTrace extends PredicateHelper {

  /** The plan with the filter in it, or why it cannot be filtered. */
  type Answer = Either[Refusal, LogicalPlan]

  type Place = Spot => Answer

  /**
   * What the rows of a place for a filter go through on their way to the filtered join.
   *
   * @param shuffles
   *   whether an operator there exchanges them
   * @param python
   *   whether an operator there sends them to Python
   */
  final case class Above(shuffles: Boolean = false, python: Boolean = false) {
    def exchanged: Above = copy(shuffles = true)
  }

  /**
   * A place for a filter: on top of a chain.
   *
   * @param chain
   *   filters and projections over a leaf
   * @param key
   *   the key over the chain's output
   */
  final case class Spot(chain: LogicalPlan, key: Expression, above: Above) {

    val leaf: LogicalPlan = chain.collectLeaves().head

    /** The key over the leaf's output; None if it is no column or widened column there. */
    lazy val atLeaf: Option[Expression] = KeyTrace.atLeaf(chain, key)
  }

  private def atLeaf(chain: LogicalPlan, key: Expression): Option[Expression] = chain match {
    case Project(list, child) => KeyForm.below(key, list).flatMap(atLeaf(child, _))
    case Filter(_, child) => atLeaf(child, key)
    case DynamicFilter(_, _, _, child) => atLeaf(child, key)
    case _ => Some(key)
  }

  private def isChain(plan: LogicalPlan): Boolean = plan match {
    case Project(list, child) => list.forall(_.deterministic) && isChain(child)
    case Filter(condition, child) => condition.deterministic && isChain(child)
    case DynamicFilter(_, _, _, child) => isChain(child)
    case _: LeafNode => true
    case _ => false
  }

  /**
   * Finds an expression that can throw and that the chain evaluates to compute one of `columns`.
   * Spark's generated code evaluates a column where it is first read. That may be above joins that
   * drop the rows for which the expression throws; the filter would evaluate it for all rows.
   */
  private def fallible(chain: LogicalPlan, columns: AttributeSet): Option[Expression] =
    chain match {
      case Project(list, child) =>
        val computed = list.collect { case a: Alias if columns.contains(a.toAttribute) => a.child }
        computed
          .find(e => !CannotFail(e) && !isEvaluated(e, child))
          .orElse(fallible(child, columns ++ AttributeSet(computed.flatMap(_.references))))
      case unary: UnaryNode => fallible(unary.child, columns)
      case _ => None
    }

  /** Whether a filter at the top of the chain already evaluates `e` for all rows that it keeps. */
  private def isEvaluated(e: Expression, chain: LogicalPlan): Boolean = chain match {
    case Filter(condition, _) =>
      splitConjunctivePredicates(condition).exists {
        case IsNotNull(tested) => SameExpression(tested, e)
        case _ => false
      }
    case _ => false
  }

  private def lost(at: LogicalPlan): Answer =
    Left(Refusal(Reason.KeyNotTraced, s"it ends at ${at.nodeName}"))
}

/** Whether an operator other than a join exchanges the rows of its input. */
private[dynamicfilter] object Exchanges {

  def apply(operator: LogicalPlan): Boolean = operator match {
    case _: Aggregate | _: Window | _: RepartitionOperation => true
    case s: Sort => s.global
    case _ => false
  }
}
