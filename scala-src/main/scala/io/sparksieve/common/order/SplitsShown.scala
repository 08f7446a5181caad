// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common.order

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan}

/**
 * Whether the rows of a physical plan show where its files are split, which depends on how many
 * files a scan reads. A column that nothing above needs shows nothing: Delta reads all columns about
 * files where a table has deletion vectors, and drops most of them.
 */
private[sparksieve] object SplitsShown {

  /** @param field the field of a column that is a struct; None if the whole column is needed */
  private final case class Needed(column: ExprId, field: Option[String])

  def apply(plan: SparkPlan): Boolean = shows(plan, plan.output.flatMap(neededFor(_)).toSet)

  private def shows(plan: SparkPlan, needed: Set[Needed]): Boolean = plan match {
    case ProjectExec(list, child) => shows(child, needed.flatMap(below(list, _)))
    case scan if scan.children.isEmpty =>
      scan.output.exists(column =>
        needed.exists(n => n.column == column.exprId && RowOrder.isOfSplit(column, n.field)))
    case operator =>
      val all = needed ++ operator.expressions.flatMap(neededFor(_))
      operator.children.exists(shows(_, all))
  }

  private def neededFor(e: Expression): Seq[Needed] = e match {
    case field @ GetStructField(a: Attribute, _, _) =>
      Seq(Needed(a.exprId, Some(field.childSchema(field.ordinal).name)))
    case a: Attribute => Seq(Needed(a.exprId, None))
    case _ => e.children.flatMap(neededFor(_))
  }

  /** What a column needs of the input of the projection that makes it. */
  private def below(list: Seq[NamedExpression], needed: Needed): Seq[Needed] =
    list.find(_.exprId == needed.column) match {
      case Some(alias: Alias) => part(alias.child, needed.field)
      case Some(_: Attribute) => Seq(needed)
      case _ => Nil
    }

  private def part(e: Expression, field: Option[String]): Seq[Needed] = (e, field) match {
    case (a: Attribute, _) => Seq(Needed(a.exprId, field))
    case (KnownNotNull(child), _) => part(child, field)
    case (struct: CreateNamedStruct, Some(name)) =>
      struct.names.zip(struct.valExprs).filter(_._1.toString == name).flatMap(v => neededFor(v._2))
    case _ => neededFor(e)
  }
}
