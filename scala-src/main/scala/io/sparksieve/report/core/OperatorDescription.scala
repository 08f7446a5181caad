// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.expressions.{Exists, InSubquery}
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, JoinType}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

import io.sparksieve.common.Duplicates

/** Describes an operator in reports: its kind, its columns, and the sources that it reads. */
private[sparksieve] object OperatorDescription {

  private val MaxNames = 8

  def apply(plan: LogicalPlan): String = {
    val columns = some(plan.output.map(_.name))
    val sources = some(plan.collectLeaves().map(source).distinct)
    s"${operator(plan)} ($columns) from $sources"
  }

  /** Describes a filter by the sources that it reads. */
  def filterOver(child: SparkPlan): String =
    s"Filter over ${child.collectLeaves().map(ScanNames(_)).mkString(", ")}"

  private def some(names: Seq[String]): String =
    if (names.length <= MaxNames) names.mkString(", ")
    else names.take(MaxNames).mkString("", ", ", s", … ${names.length - MaxNames} more")

  /** Two names, or the first one and the number of the others: a source in a list of [[some]]. */
  private def short(names: Seq[String]): String =
    if (names.lengthCompare(2) <= 0) names.mkString(", ")
    else s"${names.head} and ${names.length - 1} more"

  private def operator(plan: LogicalPlan): String = plan match {
    case e: Except => if (e.isAll) "EXCEPT ALL" else "EXCEPT"
    case i: Intersect => if (i.isAll) "INTERSECT ALL" else "INTERSECT"
    case _: Union => "UNION ALL"
    case Duplicates(_: Union) => "UNION"
    case j: Join => kind(j.joinType)
    case Filter(condition, _) =>
      val kinds = condition.collect {
        case _: Exists => "EXISTS"
        case _: InSubquery => "IN"
      }
      kinds.distinct.mkString("WHERE ", ", ", "")
    case other => other.nodeName
  }

  /** The name of a join type in reports. `sql` throws for ExistenceJoin, which has no SQL. */
  def kind(joinType: JoinType): String = joinType match {
    case _: ExistenceJoin => "EXISTENCE JOIN"
    case other => s"${other.sql} JOIN"
  }

  private def source(leaf: LogicalPlan): String = leaf match {
    case r: LogicalRelation =>
      r.catalogTable.map(_.identifier.unquotedString).getOrElse {
        r.relation match {
          case fs: HadoopFsRelation =>
            s"${fs.toString} ${short(fs.location.rootPaths.map(_.getName))}"
          case other => other.toString
        }
      }
    case r: DataSourceV2Relation => r.name
    case r: HiveTableRelation => r.tableMeta.identifier.unquotedString
    case other => other.nodeName
  }
}
