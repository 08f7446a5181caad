// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.{Duplicates, RespectsEquality, SetEquality}
import io.sparksieve.report.core.{Reason, Refusal}

/**
 * One decomposition of a side of a set operation: columns over filters over a plan. All other
 * operators in between (aliases, views, hints, DISTINCT) are removed.
 *
 * {{{
 *   side = Project(outputs, Filter(conditions, plan))
 * }}}
 *
 * @param plan
 *   the plan that remains below
 * @param conditions
 *   conjuncts over the output of `plan`, in the order in which they are evaluated
 * @param outputs
 *   one expression over the output of `plan` for each output column of the side
 * @param removesDuplicates
 *   a DISTINCT was removed, so the equation holds for sets of rows only
 * @param insideCte
 *   `plan` is inside a WITH definition, which other parts of the query may read too
 * @param cacheAbove
 *   what the session's cache holds of the plans of this side above `plan`
 */
private[sparksieve] final case class Branch(
    plan: LogicalPlan,
    conditions: Vector[Expression],
    outputs: Vector[Expression],
    removesDuplicates: Boolean = false,
    insideCte: Boolean = false,
    cacheAbove: Cache = Cache.Miss) {

  def expressions: Vector[Expression] = conditions ++ outputs
}

private[sparksieve] object Branch {

  // A view that stacks projections can double its expressions at each level.
  private val MaxNodes = 20000

  /**
   * All decompositions of `side`, from the side itself down to the lowest plan below its filters
   * and projections, and the reason why the descent ended there if an expression ended it.
   *
   * @param correlated
   *   whether filters may refer to an outer query
   */
  def of(
      side: LogicalPlan,
      ctx: SetOpContext,
      correlated: Boolean = false): (Vector[Branch], Option[Refusal]) = {
    val views = Vector.newBuilder[Branch]
    var view = Branch(side, Vector.empty, side.output.toVector)
    var stop: Option[Refusal] = None
    var down = true
    while (down) {
      views += view
      val below = view.copy(cacheAbove = view.cacheAbove.or(ctx.cache(view.plan)))
      step(below, ctx, correlated) match {
        case Right(next) => view = next
        case Left(reason) =>
          stop = reason
          down = false
      }
    }
    (views.result(), stop)
  }

  /** The plan below all removable operators, without the checks of [[of]]. */
  @tailrec
  def lowest(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case Project(_, child) => lowest(child, ctx)
    case Filter(_, child) => lowest(child, ctx)
    case SubqueryAlias(_, child) => lowest(child, ctx)
    case v: View => lowest(v.child, ctx)
    case h: ResolvedHint => lowest(h.child, ctx)
    case Duplicates(child) => lowest(child, ctx)
    case ref: CTERelationRef =>
      definition(ref, ctx) match {
        case Some(d) => lowest(d.child, ctx)
        case None => ref
      }
    case other => other
  }

  /** Removes the topmost operator of `view.plan`; Left if that operator must stay. */
  private def step(
      view: Branch,
      ctx: SetOpContext,
      correlated: Boolean): Either[Option[Refusal], Branch] =
    view.plan match {
      case Project(columns, child) =>
        movable(columns).flatMap { _ =>
          val below = AttributeMap(columns.map(c => c.toAttribute -> source(c)))
          bounded(
            view.copy(
              plan = child,
              conditions = view.conditions.map(substitute(_, below)),
              outputs = view.outputs.map(substitute(_, below))))
        }
      case Filter(condition, child) =>
        movable(Seq(condition), correlated).map { _ =>
          view.copy(plan = child, conditions = conjuncts(plain(condition)) ++ view.conditions)
        }
      case SubqueryAlias(_, child) => Right(view.copy(plan = child))
      case v: View => Right(view.copy(plan = v.child))
      case h: ResolvedHint => Right(view.copy(plan = h.child))
      case Duplicates(child) =>
        if (readsMergedValues(view)) Left(Some(Reason.TellsEqualValuesApart))
        else Right(view.copy(plan = child, removesDuplicates = true))
      case ref: CTERelationRef =>
        definition(ref, ctx).toRight(None).map { d =>
          val inside = AttributeMap(ref.output.zip(d.child.output))
          view.copy(
            plan = d.child,
            conditions = view.conditions.map(substitute(_, inside)),
            outputs = view.outputs.map(substitute(_, inside)),
            insideCte = true)
        }
      case _ => Left(None)
    }

  /**
   * Whether an expression above a DISTINCT tells apart values that the DISTINCT merges. Moved below
   * the DISTINCT, the expression would see the values before they are merged.
   */
  private def readsMergedValues(view: Branch): Boolean =
    view.plan.output.exists(a => SetEquality.merges(a.dataType)) && {
      val computed = view.outputs.filterNot(_.isInstanceOf[Attribute])
      !(view.conditions ++ computed).forall(RespectsEquality(_))
    }

  private def definition(ref: CTERelationRef, ctx: SetOpContext): Option[CTERelationDef] =
    ctx.ctes.get(ref.cteId).filter(readsTheSameEachTime(_, ref))

  private def readsTheSameEachTime(definition: CTERelationDef, ref: CTERelationRef): Boolean =
    definition.resolved && definition.deterministic &&
      definition.child.output.length == ref.output.length &&
      // A recursive definition refers to itself.
      !definition.child.exists {
        case inner: CTERelationRef => inner.cteId == definition.id
        case _ => false
      }

  private def source(column: NamedExpression): Expression = plain(column match {
    case Alias(child, _) => child
    case other => other
  })

  /**
   * `e` reduced to the expressions that the proofs know. BETWEEN and other shorthands are replaced
   * by their definitions, and casts to the type that a value already has, which views add to their
   * columns, are removed.
   */
  def plain(e: Expression): Expression =
    CommonExpressions.inlined(e.transformUp {
      case shorthand: RuntimeReplaceable => shorthand.replacement
      case c: Cast if c.child.dataType == c.dataType => c.child
    })

  private def bounded(view: Branch): Either[Option[Refusal], Branch] = {
    val nodes = view.expressions.iterator.map(size).sum
    if (nodes > MaxNodes) Left(None) else Right(view)
  }

  private def size(e: Expression): Long = 1L + e.children.iterator.map(size).sum

  /** Expressions may be moved if they give the same value wherever they are evaluated. */
  private def movable(
      expressions: Seq[Expression],
      correlated: Boolean = false): Either[Option[Refusal], Unit] =
    if (expressions.exists(!_.deterministic)) Left(Some(Reason.NonDeterministic))
    else if (expressions.exists(SubqueryExpression.hasSubquery)) {
      Left(Some(Reason.SubqueryInBranch))
    } else if (!correlated && expressions.exists(isCorrelated)) Left(Some(Reason.CorrelatedBranch))
    else Right(())

  def isCorrelated(e: Expression): Boolean = e.exists(_.isInstanceOf[OuterReference])

  def conjuncts(condition: Expression): Vector[Expression] = condition match {
    case And(l, r) => conjuncts(l) ++ conjuncts(r)
    case Literal.TrueLiteral => Vector.empty
    case other => Vector(other)
  }

  /**
   * Replaces each attribute of `e` by its expression in `by`, once: a replacement may itself
   * contain attributes that `by` maps. Works bottom-up, because `transform` would descend into the
   * replacements.
   */
  def substitute(e: Expression, by: AttributeMap[_ <: Expression]): Expression = e.transformUp {
    case a: Attribute => by.get(a).getOrElse(a)
  }
}
