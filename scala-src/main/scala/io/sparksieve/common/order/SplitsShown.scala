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

  def apply(plan: SparkPlan): Boolean = shows(plan, plan.output.flatMap(ColumnPart.of(_)).toSet)

  private def shows(plan: SparkPlan, needed: Set[ColumnPart]): Boolean = plan match {
    case ProjectExec(list, child) => shows(child, needed.flatMap(below(list, _)))
    case scan if scan.children.isEmpty =>
      // Its own columns: a reference above may lack what marks a column as one about files.
      scan.output.exists(column =>
        needed.exists(part =>
          part.column.exprId == column.exprId && part.copy(column = column).isOfSplit))
    case operator =>
      val all = needed ++ operator.expressions.flatMap(ColumnPart.of(_))
      operator.children.exists(shows(_, all))
  }

  /** What a column needs of the input of the projection that makes it. */
  private def below(list: Seq[NamedExpression], needed: ColumnPart): Seq[ColumnPart] =
    list.find(_.exprId == needed.column.exprId) match {
      case Some(alias: Alias) => part(alias.child, needed.field)
      case Some(_: Attribute) => Seq(needed)
      case _ => Nil
    }

  private def part(e: Expression, field: Option[String]): Seq[ColumnPart] = (e, field) match {
    case (a: Attribute, _) => Seq(ColumnPart(a, field))
    case (KnownNotNull(child), _) => part(child, field)
    case (struct: CreateNamedStruct, Some(name)) =>
      struct.names
        .zip(struct.valExprs)
        .filter(_._1.toString == name)
        .flatMap(v => ColumnPart.of(v._2))
    case _ => ColumnPart.of(e)
  }
}
