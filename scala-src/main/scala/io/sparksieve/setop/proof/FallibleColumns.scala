// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.{BooleanType, DataType}

/**
 * The columns of a query that a condition which may fail reads, wherever it stands.
 *
 * Spark's optimizer moves and rewrites conditions, and what it makes of them depends on the other
 * conditions of a filter. From `NOT (a <> 300)` it learns that `a` is 300, and evaluates
 * `cast(a AS TINYINT)` for 300 while it plans, or for rows where `a` is NULL. From `a = b` it infers
 * a condition on `b`, also in another table. It pushes a condition from above a set operation into
 * the scan, and leaves out conditions that contradict each other. A rewritten set operation gives it
 * another filter to work on, so a condition may fail that did not without the rewrite. There is no
 * such condition if no column of the set operation is related to one that is read by a condition
 * which may fail.
 *
 * Columns are related if one is computed from the other, if a condition compares them, and if a set
 * operation, a subquery or a WITH clause compares or renames them. What a projection or an
 * aggregation computes counts only if a condition reads it: it is evaluated for the same rows.
 */
private[setop] final class FallibleColumns(query: LogicalPlan, ctes: Map[Long, CTERelationDef]) {

  /**
   * Whether a condition that may fail reads a column which is related to one of `expressions`, or
   * reads no column, so that Spark may evaluate it anywhere.
   */
  def meet(expressions: Seq[Expression]): Boolean =
    mayFail.nonEmpty && (mayFail.exists(isOfNoColumn) ||
      related(expressions.flatMap(columns).toSet).intersect(fallible).nonEmpty)

  private lazy val plans = query.collectWithSubqueries { case plan => plan }

  private lazy val fallible: Set[ExprId] = related(mayFail.flatMap(columns).toSet)

  /** The conditions that may fail. */
  private lazy val mayFail: Seq[Expression] = {
    val conditions = plans
      .filterNot(computes)
      .flatMap {
        // Spark infers from a generator that what it explodes is not empty.
        case g: Generate => g.generator.children
        case leaf: LeafNode => leaf.expressions.filterNot(_.isInstanceOf[Attribute])
        case plan => plan.expressions
      }
    val read = related(conditions.flatMap(columns).toSet)
    val computed = plans
      .filter(computes)
      .flatMap(_.expressions)
      .flatMap(_.collect { case a: Alias if read(a.exprId) && !isOfManyRows(a.child) => a.child })
    (conditions ++ computed).map(Branch.plain).flatMap(apart).filter(Evaluation.mayFail)
  }

  private def isOfNoColumn(e: Expression) = e.deterministic && columns(e).isEmpty

  /** A condition on such a column stays above it. */
  private def isOfManyRows(e: Expression) = e.exists {
    case _: AggregateExpression | _: WindowExpression => true
    case _ => false
  }

  /** Whether the expressions of `plan` are evaluated for each row of its child, and nowhere else. */
  private def computes(plan: LogicalPlan): Boolean = plan match {
    case _: Project | _: Aggregate | _: Window | _: Sort | _: Expand | _: GlobalLimit => true
    case _: LocalLimit | _: RepartitionOperation | _: Command => true
    case _ => false
  }

  /** The parts of a condition that are evaluated apart from each other, without its subqueries. */
  private def apart(condition: Expression): Seq[Expression] = condition match {
    case _: And | _: Or | _: Not => condition.children.flatMap(apart)
    case InSubquery(values, _) => values
    case subquery: SubqueryExpression => subquery.children
    case other =>
      val compared = other.collect { case InSubquery(values, _) => values }.flatten
      compared :+ other.transform {
        case _: InSubquery => anyValue(BooleanType)
        case s: SubqueryExpression => anyValue(s.dataType)
      }
  }

  /** What stands for the value of a subquery: neither a constant nor a column. */
  private def anyValue(dataType: DataType) = BoundReference(0, dataType, nullable = true)

  private lazy val links: Map[ExprId, Set[ExprId]] =
    plans
      .flatMap(plan => alongSides(plan) ++ plan.expressions.flatMap(within))
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
      ctes.get(ref.cteId).toSeq.flatMap(d => pairs(ref.output, d.child.output))
    case g: Generate =>
      for (x <- g.generatorOutput; id <- columns(g.generator).toSeq) yield x.exprId -> id
    case _ => Nil
  }

  private def within(e: Expression): Seq[(ExprId, ExprId)] = e.collect {
    case a: Alias => columns(a.child).toSeq.map(a.exprId -> _)
    case comparison: BinaryComparison =>
      val compared = columns(comparison).toSeq
      compared.headOption.toSeq.flatMap(a => compared.tail.flatMap(both(a, _)))
    case InSubquery(values, rows) =>
      values.zip(rows.plan.output).flatMap { case (value, column) =>
        columns(value).toSeq.flatMap(both(_, column.exprId))
      }
  }.flatten

  private def pairs(some: Seq[Attribute], others: Seq[Attribute]) =
    some.zip(others).flatMap { case (a, b) => both(a.exprId, b.exprId) }

  private def both(a: ExprId, b: ExprId) = Seq(a -> b, b -> a)

  private def columns(e: Expression): Set[ExprId] = e
    .collect {
      case a: Attribute => Set(a.exprId)
      case OuterReference(outer) => columns(outer)
      case subquery: SubqueryExpression => subquery.plan.output.map(_.exprId).toSet
    }
    .flatten
    .toSet
}
