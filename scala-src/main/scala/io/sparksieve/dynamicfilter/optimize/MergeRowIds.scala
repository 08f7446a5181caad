// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.{Inner, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical._

/**
 * Finds the row ids and file names that a MERGE adds to the rows of its target. They depend on the
 * order and the files of the rows, so elsewhere no filter is placed below such expressions. Within
 * a MERGE a filter may be placed there, directly above the scan:
 * {{{
 *   MergeRows (fails if a __row_id comes twice)
 *   +- Join RightOuter (t.id = s.id)
 *      :- Project […, monotonically_increasing_id() AS __row_id]
 *      :  +- DynamicFilter id IN keys of s.id
 *      :     +- Scan t
 *      +- Source s
 * }}}
 * because:
 *   1. the ids serve only to find a row of the target that has several partners. They must differ,
 *      but their values do not matter, and they differ also if some rows are missing;
 *   1. the rows that the filter drops have no partner, so the join does not return them, and they
 *      are not checked;
 *   1. a file name is that of the row itself, whichever other rows are read.
 *
 * This is an allow-list of the plans that Spark makes for sources with row-level operations, and
 * Delta to find the files to rewrite: exact names, exact expressions, joins that drop the target's
 * rows without a partner (so no NOT MATCHED BY SOURCE), and no other use of the columns.
 */
private[dynamicfilter] final class MergeRowIds private (found: Seq[MergeRowIds.Found]) {

  private val ids = found.flatMap(_.columns).map(_.exprId).toSet

  /** Whether `e` is deterministic, or such an id or file name. */
  def allows(e: NamedExpression): Boolean = e.deterministic || ids(e.exprId)

  /** Whether `operator` is Delta's projection that records the file of each row of the join. */
  def recordsFiles(operator: LogicalPlan): Boolean = found.exists(_.recorder.exists(_ eq operator))
}

private[dynamicfilter] object MergeRowIds {

  /**
   * The columns of one MERGE.
   *
   * @param recorder
   *   Delta's projection above the join
   */
  private final case class Found(columns: Seq[Attribute], recorder: Option[LogicalPlan])

  def apply(root: LogicalPlan): MergeRowIds = new MergeRowIds(root.collect {
    case merge: MergeRows if merge.checkCardinality => ofSpark(merge)
    case counts: Aggregate => ofDelta(counts)
  }.flatten)

  // The target is the left side. Both types of join drop its rows that have no partner.
  private def ofSpark(merge: MergeRows): Option[Found] =
    for {
      join <- joinBelow(merge.child) if join.joinType == Inner || join.joinType == RightOuter
      target <- projectBelow(join.left)
      id <- made(target) { case _: MonotonicallyIncreasingID => "__row_id" }
      if isUnused(id, merge.expressions ++ join.condition ++ filters(join.left))
    } yield Found(Seq(id), None)

  private def ofDelta(counts: Aggregate): Option[Found] = counts.child match {
    case recorder @ Project(Seq(id: Attribute, one: Alias), join: Join)
        if counts.groupingExpressions == Seq(id) && join.joinType == Inner &&
          isUnused(id, counts.aggregateExpressions) =>
      Seq(join.left, join.right).flatMap(ofDelta(_, join)).collectFirst {
        case columns @ Seq(`id`, file) if records(one, id, file) => Found(columns, Some(recorder))
      }
    case _ => None
  }

  /** The row id and the file name that Delta adds to a side of the join. */
  private def ofDelta(side: LogicalPlan, join: Join): Option[Seq[Attribute]] =
    for {
      named <- projectBelow(side)
      file <- made(named) { case _: InputFileName => "_file_name_" }
      numbered <- projectBelow(named.child)
      id <- made(numbered) { case _: MonotonicallyIncreasingID => "_row_id_" }
      columns = Seq(id, file)
      if columns.forall(isUnused(_, filters(side) ++ filters(named.child) ++ join.condition))
    } yield columns

  /**
   * Whether `one` is 1 for each row of the join, by the function that adds `file` to a set if the
   * row meets the condition of a clause. Spark wraps the call if the condition can be NULL.
   */
  private def records(one: Alias, id: Attribute, file: Attribute): Boolean = {
    def isCondition(e: Expression) =
      e.deterministic && Seq(id, file).forall(isUnused(_, Seq(e)))
    def isCall(e: Expression) = e match {
      case udf: ScalaUDF if udf.function.getClass.getName.startsWith(DeltaMerge) =>
        udf.children match {
          case Seq(`file`, condition) => isCondition(condition)
          case _ => false
        }
      case _ => false
    }
    one.name == "one" && (one.child match {
      case If(IsNull(condition), Literal(null, _), call) => isCondition(condition) && isCall(call)
      case call => isCall(call)
    })
  }

  private val DeltaMerge = "org.apache.spark.sql.delta.commands.merge."

  private def joinBelow(plan: LogicalPlan): Option[Join] = plan match {
    case join: Join => Some(join)
    case Project(list, child) if list.forall(_.isInstanceOf[Attribute]) => joinBelow(child)
    case _ => None
  }

  private def projectBelow(plan: LogicalPlan): Option[Project] = plan match {
    case project: Project => Some(project)
    case Filter(condition, child) if condition.deterministic => projectBelow(child)
    case _ => None
  }

  private def filters(plan: LogicalPlan): Seq[Expression] = plan match {
    case Filter(condition, child) => condition +: filters(child)
    case _ => Nil
  }

  /** The only column of a projection that is not deterministic, if it has the name for its function. */
  private def made(project: Project)(
      nameOf: PartialFunction[Expression, String]): Option[Attribute] =
    project.projectList.filterNot(_.deterministic) match {
      case Seq(a @ Alias(e, name)) if nameOf.lift(e).contains(name) => Some(a.toAttribute)
      case _ => None
    }

  private def isUnused(column: Attribute, expressions: Seq[Expression]) =
    !expressions.exists(_.references.contains(column))
}
