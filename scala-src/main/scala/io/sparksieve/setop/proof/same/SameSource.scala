// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.same

import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

import io.sparksieve.common.{Duplicates, SamePlan}
import io.sparksieve.report.core.{Reason, Refusal}

/**
 * Proves that two plans yield the same rows, and maps the attributes of one plan to those of the
 * other. Equal paths and names are not enough: two reads of one directory may have listed different
 * files.
 */
private[proof] object SameSource {

  type Proof = Either[Refusal, AttributeMap[Attribute]]

  /** On success, the attributes of `right`'s output mapped to those of `left`'s. */
  def apply(left: LogicalPlan, right: LogicalPlan): Proof =
    if (left.isStreaming || right.isStreaming) Left(Reason.Streaming)
    else if (isLeaf(left) && isLeaf(right)) {
      sameLeaf(left, right) match {
        case None => columns(left, right)
        case Some(reason) => Left(reason)
      }
    } else sameTree(left, right)

  /**
   * Whether `plan` reads only sources that cannot change (inline rows, ranges), so that a cached
   * copy and the source itself give the same rows. Files do not count: they may be replaced by
   * others of the same name.
   */
  def isPinned(plan: LogicalPlan): Boolean = plan.collectLeaves().forall {
    case _: LocalRelation | _: Range | _: OneRowRelation => true
    case _ => false
  }

  // An InMemoryRelation is one node with one result, whichever plan was cached.
  private def isLeaf(plan: LogicalPlan) = plan.children.isEmpty

  private def sameTree(left: LogicalPlan, right: LogicalPlan): Proof = {
    def leaves = left.collectLeaves().zip(right.collectLeaves())
    if (left.getClass != right.getClass || left.output.length != right.output.length) {
      Left(Reason.DifferentSource)
    } else if (!left.exists(!repeatable(_)) && left.deterministic) {
      SamePlan(left, right)(columns(_, _).toOption).toRight(Reason.DifferentSource).flatMap {
        same =>
          leaves.flatMap { case (l, r) => sameLeaf(l, r) }.headOption.toLeft(same)
      }
    } else if (left.deterministic) Left(Reason.UnsupportedSource)
    else Left(Reason.NonDeterministic)
  }

  /** Operators whose result is a function of their input; LIMIT, samples and windows are not. */
  private def repeatable(plan: LogicalPlan): Boolean = (plan match {
    case _: Project | _: Filter | _: SubqueryAlias | _: View | _: ResolvedHint => true
    case _: Join | _: Aggregate | _: Distinct | _: Union | _: Except | _: Intersect => true
    case _: Generate | _: Expand | _: Sort | _: RepartitionOperation => true
    case Duplicates(_) => true
    case leaf => isLeaf(leaf)
  }) && !plan.expressions.exists(SubqueryExpression.hasSubquery)

  /** None when both leaves yield the same rows. */
  private def sameLeaf(left: LogicalPlan, right: LogicalPlan): Option[Refusal] =
    (left, right) match {
      case (l: LogicalRelation, r: LogicalRelation) => sameRelation(l, r)
      case (l: DataSourceV2Relation, r: DataSourceV2Relation) => SameTable(l, r)
      case (l: HiveTableRelation, r: HiveTableRelation) =>
        same(l.tableMeta == r.tableMeta && l.prunedPartitions == r.prunedPartitions)
      case (l: LocalRelation, r: LocalRelation) => same(sameRows(l, r))
      case (l: Range, r: Range) =>
        same(l.start == r.start && l.end == r.end && l.step == r.step)
      case (_: OneRowRelation, _: OneRowRelation) => None
      case (l: CTERelationRef, r: CTERelationRef) => same(l.cteId == r.cteId)
      case (l: LogicalRDD, r: LogicalRDD) => same(l.rdd eq r.rdd)
      case (l: InMemoryRelation, r: InMemoryRelation) =>
        same(l.cacheBuilder eq r.cacheBuilder)
      case (l, r) =>
        Some(if (l.getClass == r.getClass) Reason.UnsupportedSource else Reason.DifferentSource)
    }

  private def same(holds: Boolean): Option[Refusal] =
    if (holds) None else Some(Reason.DifferentSource)

  private def sameRelation(left: LogicalRelation, right: LogicalRelation): Option[Refusal] =
    (left.relation, right.relation) match {
      case (l: HadoopFsRelation, r: HadoopFsRelation) => SameFiles(l, r)
      case (l, r) if l == r => Some(Reason.UnsupportedSource)
      case _ => Some(Reason.DifferentSource)
    }

  /** Rows are compared bit by bit: -0.0 and 0.0 are different rows here. */
  private def sameRows(left: LocalRelation, right: LocalRelation): Boolean = {
    def types(r: LocalRelation) = r.output.map(_.dataType)
    (left.data eq right.data) || {
      left.data.length == right.data.length && types(left) == types(right) && {
        val toLeft = UnsafeProjection.create(types(left).toArray)
        val toRight = UnsafeProjection.create(types(right).toArray)
        left.data.zip(right.data).forall { case (l, r) => toLeft(l) == toRight(r) }
      }
    }
  }

  /**
   * Pairs the attributes of two instances of one leaf by position, because inline tables may name
   * the same columns differently. The positions disagree only if metadata columns were added to one
   * instance of a table. Its attributes are then paired by name: column names come from the table's
   * schema and are unique.
   */
  private def columns(left: LogicalPlan, right: LogicalPlan): Proof = {
    def types(plan: LogicalPlan) = plan.output.map(_.dataType)
    def names(plan: LogicalPlan) = plan.output.map(_.name)
    def isTable(plan: LogicalPlan) = plan match {
      case _: LogicalRelation | _: DataSourceV2Relation => true
      case _ => false
    }
    if (types(left) == types(right) && (!isTable(left) || names(left) == names(right))) {
      Right(AttributeMap(right.output.zip(left.output)))
    } else if (isTable(left)) {
      val named = left.output.groupBy(_.name).collect { case (name, Seq(one)) => name -> one }
      val pairs = for {
        r <- right.output
        l <- named.get(r.name) if l.dataType == r.dataType
      } yield r -> l
      Right(AttributeMap(pairs))
    } else Left(Reason.DifferentSource)
  }
}
