// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.report.core.AtRunTime

/**
 * The expressions of a query that may raise an error with a rewrite, and do not without it.
 *
 * '''Conditions''', wherever they stand, and the computed columns that they read. Spark's optimizer
 * moves, infers, simplifies and drops conditions, depending on the other conditions that it finds.
 * From `NOT (a <> 300)` it learns that `a` is 300, and evaluates `cast(a AS TINYINT)` for 300 while
 * it plans; from `a = 3` it learns that a guard `a <= 5` says nothing, and drops it; a condition
 * that rejects NULL makes an inner join of an outer join, and so joins conditions of both sides. A
 * rewritten set operation is another condition.
 *
 * '''Columns that are computed below a join or on either side of a LIMIT, and scalar subqueries'''. A
 * join may read one side first and not evaluate the other, because the first is empty; which one is
 * first depends on their sizes. EXCEPT and INTERSECT are joins for Spark, if not rewritten. A LIMIT
 * stops at the first rows, and another scan reads the rows in another order; so what is computed
 * above it counts too. Adaptive execution drops an operator over no rows, with its subqueries, if it
 * knows in time that there are none.
 *
 * '''Columns that are computed within a source'''. Spark pushes the condition of a side below an
 * aggregation or a generator, so that it limits the rows for which they are evaluated, and does not
 * push the combined condition of two sides.
 *
 * '''What may fail before there is a row''' ([[BeforeFirstRow]]), for example because it is computed
 * from columns that turn out to be constant.
 *
 * '''All columns, if a source is inline rows'''. Spark evaluates a filter over such rows while it
 * plans, and then what is computed from it, before it drops columns and pushes conditions.
 *
 * All other computed columns are evaluated for the same rows with a rewrite and without.
 */
private[setop] final class FallibleExpressions(query: WholeQuery) {

  /** One that matters for a set operation over `source`, if there is one. */
  def findFor(source: LogicalPlan): Option[Expression] = findFor(source, anySource)

  /**
   * As [[findFor]], but for columns that the two sides of the operation itself compute, if it is an
   * EXCEPT or INTERSECT. Those of the left side are evaluated for no other rows, if it remains.
   */
  def findBeside(source: LogicalPlan, sides: Seq[LogicalPlan]): Option[Expression] =
    findFor(source, anySource.flatMap(_ => beside(sides)))

  private def findFor(source: LogicalPlan, ofQuery: Option[Expression]) =
    ofQuery
      .orElse(beforeFirstRow)
      .orElse(within(source).find(Evaluation.mayFail))
      .orElse(if (isInline(source)) anywhere else None)

  /** One that matters for any set operation of the query. */
  private lazy val anySource = beside(Nil)

  private def beside(sides: Seq[LogicalPlan]) =
    inCondition.orElse(spared(query.plan, sides).find(Evaluation.mayFail))

  private lazy val inCondition = conditions.flatMap(PerRow(_)).find(Evaluation.mayFail)

  private lazy val fallible = within(query.plan).filter(Evaluation.mayFail)

  private lazy val anywhere = fallible.headOption

  private lazy val beforeFirstRow = fallible
    .flatMap(_.collect { case part if BeforeFirstRow.mayFail(part, query.origins) => part })
    .headOption

  private def isInline(source: LogicalPlan) = source.collectLeaves().forall(InlineRows(_))

  /** What is evaluated for each row of a plan, its subqueries and definitions. */
  private def within(plan: LogicalPlan): Seq[Expression] =
    query
      .withDefinitions(plan)
      .flatMap(_.collectWithSubqueries {
        case operator if OnlyExpressions(operator) => evaluated(operator)
        case other => Seq(AtRunTime(other.nodeName, BooleanType))
      })
      .flatten
      .flatMap(PerRow(_))

  private def conditions: Seq[Expression] = {
    val written = query.operators.filterNot(computes).flatMap(evaluated)
    val read = query.origins.sources(written.flatMap(query.origins.columns).toSet)
    written ++ query.operators
      .filter(computes)
      .flatMap(_.expressions)
      .flatMap(_.collect { case a: Alias if read(a.exprId) && !isOfManyRows(a.child) => a.child })
  }

  private def evaluated(plan: LogicalPlan): Seq[Expression] = plan match {
    // Spark infers from a generator that what it explodes is not empty.
    case Generate(_: Explode | _: PosExplode | _: Inline | _: Stack, _, _, _, _, _) =>
      plan.expressions.flatMap(_.children)
    case g: Generate => Seq(g.generator)
    case leaf: LeafNode => leaf.expressions.filterNot(_.isInstanceOf[Attribute])
    case _: Command => Nil
    case _ => plan.expressions
  }

  /** Whether the expressions of `plan` are evaluated for each row of its child, and nowhere else. */
  private def computes(plan: LogicalPlan): Boolean = plan match {
    case _: Project | _: Aggregate | _: Window | _: Sort | _: Expand | _: GlobalLimit => true
    case _: LocalLimit | _: RepartitionOperation | _: Command => true
    case _: ObjectConsumer | _: ObjectProducer => true
    case _ => false
  }

  /** A condition on such a column stays above it. */
  private def isOfManyRows(e: Expression) = e.exists {
    case _: AggregateExpression | _: WindowExpression => true
    case _ => false
  }

  /**
   * What is computed below a join, below a LIMIT that stops reading it, or above one.
   *
   * @param besides
   *   the sides of an EXCEPT or INTERSECT that is not looked at as a join
   * @param isCut
   *   whether there is a LIMIT above `plan` that may stop reading it
   * @param ids
   *   the ids of the WITH definitions that are being looked at, for recursive ones
   */
  private def spared(
      plan: LogicalPlan,
      besides: Seq[LogicalPlan],
      isCut: Boolean = false,
      ids: Set[Long] = Set.empty): Seq[Expression] = plan match {
    case limit @ (_: LocalLimit | _: GlobalLimit | _: Tail | _: Offset) =>
      sortOf(limit.children.head) match {
        case Some((between, sort)) =>
          between.flatMap(own(_, isCut = true)) ++ spared(sort.child, besides, isCut = false, ids)
        case None => spared(limit.children.head, besides, isCut = true, ids)
      }
    case w: WithCTE => spared(w.plan, besides, isCut, ids)
    case r: CTERelationRef if ids(r.cteId) => Nil
    case r: CTERelationRef =>
      query.ctes.get(r.cteId).toSeq.flatMap(d => spared(d.child, besides, isCut, ids + r.cteId))
    case s: SetOperation if besides.nonEmpty && s.children.zip(besides).forall(isSame) =>
      s.children.flatMap(spared(_, besides, isCut, ids))
    case _ if joins(plan) => within(plan)
    // Its one row needs all rows of its child.
    case a: Aggregate if a.groupingExpressions.isEmpty =>
      own(a, isCut = false) ++ spared(a.child, besides, isCut = false, ids)
    case _ => own(plan, isCut) ++ plan.children.flatMap(spared(_, besides, isCut, ids))
  }

  private def own(plan: LogicalPlan, isCut: Boolean): Seq[Expression] = {
    val computed =
      if (isCut || choosesRows(plan)) evaluated(plan).flatMap(PerRow(_)) else Nil
    computed ++ plan.expressions.flatMap(_.collect { case s: ScalarSubquery => s }).flatMap { s =>
      PerRow.result(s) +: within(s.plan)
    }
  }

  /**
   * The sort of all rows directly below a LIMIT, and the operators between them. Spark drops a SORT
   * BY below an aggregation, and the order by a constant; it moves a LIMIT below an aggregation whose
   * functions nothing reads.
   */
  @tailrec
  private def sortOf(
      plan: LogicalPlan,
      between: Vector[LogicalPlan] = Vector.empty): Option[(Seq[LogicalPlan], Sort)] = plan match {
    case s: Sort if s.global && s.order.exists(o => query.origins.isNeverConstant(o.child)) =>
      Some((between, s))
    case _: Project | _: SubqueryAlias | _: View | _: LocalLimit | _: GlobalLimit | _: Offset =>
      sortOf(plan.children.head, between :+ plan)
    case _ => None
  }

  /** Whether which rows `plan` reads depends on the order of the rows below it. */
  private def choosesRows(plan: LogicalPlan) =
    anyChosen && plan.children.flatMap(query.withDefinitions).exists(_.exists(chooses))

  private lazy val anyChosen = query.operators.exists(chooses)

  private def chooses(plan: LogicalPlan): Boolean = plan match {
    case _: LocalLimit | _: GlobalLimit | _: Tail | _: Offset | _: Deduplicate => true
    case _ => false
  }

  private def isSame(plans: (LogicalPlan, LogicalPlan)) = plans._1 eq plans._2

  /** Whether Spark makes a join of `plan`, which then may leave one of its sides unread. */
  private def joins(plan: LogicalPlan) = plan match {
    case _: Union => false
    case Except(_, _, isAll) => !isAll
    case Intersect(_, _, isAll) => !isAll
    case _ =>
      plan.children.length > 1 || plan.expressions.exists(_.exists {
        case s: ScalarSubquery => s.isCorrelated
        case _: SubqueryExpression => true
        case _ => false
      })
  }
}
