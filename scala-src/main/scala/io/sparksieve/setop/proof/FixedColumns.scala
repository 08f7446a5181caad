// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.CannotFail

/**
 * Which columns of a query have a value that Spark's optimizer may learn from conditions, and what
 * it may then do with it. From `NOT (a <> 3)` it learns that `a` is 3, puts 3 in for `a` in the
 * other conditions of the filter, and evaluates what has become constant while it plans the query,
 * or for rows where `a` is NULL. From `a = b` it learns that a condition on `a` holds for `b`.
 * Where that raises an error, the query fails although no row might have this value.
 *
 * An allow-list: a column counts as fixed unless all conditions on it are known to become no
 * equality with a literal, whatever the optimizer does to them. `cast(b AS INT) >= 127` becomes
 * `b = 127` for a TINYINT, and `s LIKE 'x'` becomes `s = 'x'`. Values spread along equalities of
 * columns, to columns from which one is computed, and between those that a set operation, an IN or
 * a WITH clause compares or renames.
 */
private[setop] final class FixedColumns(query: LogicalPlan) {

  /**
   * Whether Spark may learn something about a column of `e` from a condition of the query.
   *
   * @param negated
   *   conditions, in the terms of `e`, whose negation a rewrite adds
   */
  def concern(e: Expression, negated: Seq[Expression]): Boolean = {
    val known = conditions.flatMap(learned(_)) ++ negated.flatMap(learned(_, holds = false))
    related(columns(e)).intersect(related(known.toSet)).nonEmpty
  }

  /**
   * Whether what Spark may learn from conditions concerns an expression of the query that may fail.
   *
   * @param added
   *   conditions that a rewrite adds to a filter
   * @param negated
   *   conditions whose negation it may add
   */
  def mayFail(added: Seq[Expression], negated: Seq[Expression]): Boolean = {
    val known = (added.flatMap(learned(_)) ++ negated.flatMap(learned(_, holds = false))).toSet
    known.nonEmpty && related(known).intersect(fallible).nonEmpty
  }

  private lazy val plans = query.collectWithSubqueries { case plan => plan }

  private lazy val conditions = plans
    .flatMap {
      case f: Filter => Branch.conjuncts(f.condition)
      case j: Join => j.condition.toSeq.flatMap(Branch.conjuncts)
      case _ => Nil
    }
    .map(Branch.plain)

  /**
   * The columns of filters that may fail, also of those that become so below a projection, or that
   * Spark infers from a generator.
   */
  private lazy val fallible: Set[ExprId] = {
    val filtered = related(conditions.flatMap(columns).toSet)
    val computed = plans.flatMap {
      case g: Generate => g.generator.children
      case plan =>
        plan.expressions.flatMap(_.collect {
          case a: Alias if filtered(a.exprId) && !isOfManyRows(a.child) => a.child
        })
    }
    val evaluated = conditions.flatMap(apart) ++ computed.map(Branch.plain)
    related(evaluated.filter(Evaluation.mayFail).flatMap(columns).toSet)
  }

  /** Filters on such a column stay above it. */
  private def isOfManyRows(e: Expression) = e.exists {
    case _: AggregateExpression | _: WindowExpression => true
    case _ => false
  }

  /** What a filter evaluates for each row, apart from subqueries. */
  private def apart(condition: Expression): Seq[Expression] = condition match {
    case _: And | _: Or | _: Not => condition.children.flatMap(apart)
    case InSubquery(values, _) => values
    case _: SubqueryExpression => Nil
    case other => Seq(other.transform { case s: SubqueryExpression => Literal(null, s.dataType) })
  }

  private lazy val links: Map[ExprId, Set[ExprId]] =
    plans
      .flatMap(plan => alongSides(plan) ++ plan.expressions.flatMap(inExpressions))
      .groupBy(_._1)
      .map { case (id, pairs) => id -> pairs.map(_._2).toSet }

  private def related(ids: Set[ExprId]): Set[ExprId] = {
    @tailrec
    def reach(todo: Set[ExprId], found: Set[ExprId]): Set[ExprId] =
      if (todo.isEmpty) found
      else reach(todo.flatMap(links.getOrElse(_, Set.empty)) -- found -- todo, found ++ todo)
    reach(ids, Set.empty)
  }

  private def alongSides(plan: LogicalPlan): Seq[(ExprId, ExprId)] = plan match {
    case _: Union | _: SetOperation => plan.children.flatMap(c => pairs(plan.output, c.output))
    case ref: CTERelationRef =>
      definitions.get(ref.cteId).toSeq.flatMap(d => pairs(ref.output, d.output))
    case _ => Nil
  }

  private lazy val definitions =
    plans.collect { case d: CTERelationDef => d.id -> d.child }.toMap

  private def inExpressions(e: Expression): Seq[(ExprId, ExprId)] = e.collect {
    case a: Alias => columns(a.child).toSeq.map(a.exprId -> _)
    case Equality(l, r) =>
      columns(l).toSeq.flatMap(a => columns(r).toSeq.flatMap(both(a, _)))
    case InSubquery(values, rows) =>
      values.zip(rows.plan.output).flatMap { case (value, column) =>
        columns(value).toSeq.flatMap(both(_, column.exprId))
      }
  }.flatten

  private def pairs(some: Seq[Attribute], others: Seq[Attribute]) =
    some.zip(others).flatMap { case (a, b) => both(a.exprId, b.exprId) }

  private def both(a: ExprId, b: ExprId) = Seq(a -> b, b -> a)

  /** The columns about which Spark learns that they equal a literal or another column. */
  private def learned(condition: Expression, holds: Boolean = true): Set[ExprId] =
    condition match {
      case _: And | _: Or => condition.children.flatMap(learned(_, holds)).toSet
      case Not(child) => learned(child, !holds)
      case _: IsNull | _: IsNotNull | _: InSubquery | _: Exists => Set.empty
      case _: LessThan | _: LessThanOrEqual | _: GreaterThan | _: GreaterThanOrEqual
          if condition.children.forall(e => isArithmetic(e) || isUnsolved(e)) =>
        Set.empty
      case _: StringPredicate | _: RLike if !hasBranches(condition.children) => Set.empty
      case Equality(l, r) if isUnsolved(l) && r.foldable || isUnsolved(r) && l.foldable => Set.empty
      case _: EqualTo | _: EqualNullSafe | _: In if !holds && !hasBranches(condition.children) =>
        Set.empty
      case _ => columns(condition)
    }

  private def isArithmetic(e: Expression): Boolean = e match {
    case _: Attribute => true
    case _: BinaryArithmetic => e.children.forall(isArithmetic)
    case _ => e.references.isEmpty
  }

  /** Whether the optimizer cannot solve `e = 3` or `e > 3` for a column of `e`. */
  private def isUnsolved(e: Expression) = !hasBranches(Seq(e)) && (e match {
    case _: Divide | _: IntegralDivide | _: Remainder | _: Pmod => true
    case _: Upper | _: Lower | _: Length | _: GetDateField | _: ScalaUDF | _: StaticInvoke => true
    // Only casts that cannot fail are taken off.
    case c: Cast => !CannotFail(c)
    case _ => false
  })

  /** Whether an expression may turn into a condition that is inside of it. */
  private def hasBranches(expressions: Seq[Expression]) = expressions.exists(_.exists {
    case _: Predicate | _: ConditionalExpression => true
    case _ => false
  })

  private def columns(e: Expression): Set[ExprId] = e
    .collect {
      case a: Attribute => Set(a.exprId)
      case OuterReference(outer) => columns(outer)
    }
    .flatten
    .toSet
}
