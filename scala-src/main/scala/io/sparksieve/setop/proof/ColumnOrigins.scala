// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.annotation.tailrec
import scala.collection.mutable
import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Count}
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.common.{NullForNull, Types}

/** Where the columns of a query come from. */
private[setop] final class ColumnOrigins(query: WholeQuery) {

  /** The columns that columns with these ids are computed from, and those ids. */
  def sources(ids: Set[ExprId]): Set[ExprId] = {
    @tailrec
    def reach(todo: Set[ExprId], found: Set[ExprId]): Set[ExprId] =
      if (todo.isEmpty) found
      else reach(todo.flatMap(computedFrom.getOrElse(_, Set.empty)) -- found -- todo, found ++ todo)
    reach(ids, Set.empty)
  }

  /** The columns that an expression reads, also through its subqueries. */
  def columns(e: Expression): Set[ExprId] = e
    .collect {
      case a: Attribute => Set(a.exprId)
      case OuterReference(outer) => columns(outer)
      case subquery: SubqueryExpression => subquery.plan.output.map(_.exprId).toSet
    }
    .flatten
    .toSet

  /**
   * Whether no simplification makes a constant of `e`. It is a column that is read, or an operation
   * on one that yields NULL for NULL. A comparison of two columns is none of these: Spark may know
   * its result from other conditions.
   */
  def isNeverConstant(e: Expression): Boolean = isNeverConstant(e, butNull = false)

  /** As [[isNeverConstant]], but it may become a constant NULL. */
  def isConstantOnlyAsNull(e: Expression): Boolean = isNeverConstant(e, butNull = true)

  private def isNeverConstant(e: Expression, butNull: Boolean): Boolean = {
    def never(part: Expression) = isNeverConstant(part, butNull)
    e match {
      case a: Attribute => known.getOrElse((a.exprId, butNull), isRead(a.exprId, butNull))
      case r: RuntimeReplaceable => never(r.replacement)
      case ResultOf(result, _) => never(result)
      case _: RDG => true
      case _: SubqueryExpression => false
      case _ if e.dataType == BooleanType => false
      // Spark knows the count of NULLs, and of no rows.
      case AggregateExpression(count: Count, _, _, filter, _) =>
        filter.isEmpty && count.children.forall(c => never(c) || isNotNull(c))
      case a: AggregateExpression => butNull || a.filter.isEmpty
      case WindowExpression(a: AggregateExpression, _) => never(a)
      case _: WindowExpression => true
      case rounded: RoundBase => never(rounded.left)
      // Spark multiplies with 0 while it plans.
      case _: Multiply if Types.isIntegral(e.dataType) =>
        e.children.exists(never) && e.children.forall(c => never(c) || isNotZero(c))
      case _ =>
        NullForNull.itself(e) && e.children.exists(never) &&
        (butNull || e.children.forall(c => never(c) || isNotNull(c)))
    }
  }

  /** What is known of columns; false for one that is being looked at, as in a recursive WITH. */
  private val known = mutable.Map.empty[(ExprId, Boolean), Boolean]

  private def isRead(id: ExprId, butNull: Boolean): Boolean = {
    known((id, butNull)) = false
    val (computed, from) = (aliases.getOrElse(id, Nil), renamed.getOrElse(id, Nil))
    val columns = computed.map(_.child) ++ from.filterNot(_.exprId == id)
    val read = (butNull || !mayBeNull(id)) && (columns.nonEmpty || ofLeaves(id)) &&
      columns.forall(isNeverConstant(_, butNull))
    known((id, butNull)) = read
    read
  }

  private def isNotNull(e: Expression) = isConstant(e, other = Set(null))

  private def isNotZero(e: Expression) = isConstant(e, other = Set(null, 0))

  private def isConstant(e: Expression, other: Set[Any]) =
    e.foldable && Try(e.eval()).toOption.exists(value => !other(value))

  private lazy val aliases: Map[ExprId, Seq[Alias]] =
    query.operators
      .flatMap(_.expressions)
      .flatMap(_.collect { case a: Alias => a })
      .groupBy(_.exprId)

  /** The columns that are read or generated, and not computed. */
  private lazy val ofLeaves: Set[ExprId] =
    query.operators
      .collect {
        case leaf: LeafNode if !leaf.isInstanceOf[CTERelationRef] && !InlineRows(leaf) =>
          leaf.output
        case g: Generate => g.generatorOutput
      }
      .flatten
      .map(_.exprId)
      .toSet

  /**
   * The columns that an outer join, or an operator that is not known, may fill with NULLs, and so
   * with nothing else.
   */
  private lazy val mayBeNull: Set[ExprId] = query.operators.flatMap(filled).map(_.exprId).toSet

  private def filled(plan: LogicalPlan): Seq[Attribute] = plan match {
    case j: Join =>
      j.joinType match {
        case LeftOuter => j.right.output
        case RightOuter => j.left.output
        case FullOuter => j.output
        case _ => Nil
      }
    case g: Generate => if (g.outer) g.generatorOutput else Nil
    case _: LeafNode | _: Project | _: Filter | _: Aggregate | _: Window => Nil
    case _: Sort | _: GlobalLimit | _: LocalLimit | _: Offset | _: Sample => Nil
    case _: Union | _: SetOperation | _: Distinct | _: Deduplicate => Nil
    case _: SubqueryAlias | _: View | _: WithCTE | _: CTERelationDef | _: ResolvedHint => Nil
    case _: RepartitionOperation | _: RebalancePartitions => Nil
    case other => other.output
  }

  /** Columns whose values a column has under another id. */
  private lazy val renamed: Map[ExprId, Seq[Attribute]] = query.operators
    .flatMap {
      case plan @ (_: Union | _: SetOperation) =>
        plan.children.flatMap(c => plan.output.zip(c.output))
      case r: CTERelationRef =>
        query.ctes.get(r.cteId).toSeq.flatMap(d => r.output.zip(d.child.output))
      case _ => Nil
    }
    .groupBy(_._1.exprId)
    .map { case (id, pairs) => id -> pairs.map(_._2) }

  private lazy val computedFrom: Map[ExprId, Set[ExprId]] = {
    val links = renamed.toSeq.flatMap { case (id, from) => from.map(id -> _.exprId) } ++
      query.operators.flatMap(computing)
    links.groupBy(_._1).map { case (id, pairs) => id -> pairs.map(_._2).toSet }
  }

  private def computing(plan: LogicalPlan): Seq[(ExprId, ExprId)] = {
    val produced = plan match {
      case _: Union | _: SetOperation | _: CTERelationRef => Nil
      case _ => for (x <- plan.producedAttributes.toSeq; y <- plan.references.toSeq) yield x -> y
    }
    val computed = plan.expressions.flatMap(_.collect { case a: Alias => a })
    produced.map { case (a, b) => a.exprId -> b.exprId } ++
      computed.flatMap(a => columns(a.child).map(a.exprId -> _))
  }
}
