// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.RowFilterExec

/**
 * Pushes the keys of a row filter into the scan below:
 * {{{
 *   Project [b AS a]            Project [b AS a]
 *   +- Filter c > 5        =>   +- Filter c > 5
 *      +- FileScan [b, c]          +- DynamicScan [b IN keys]
 *                                     +- FileScan [b, c]
 * }}}
 *
 * where:
 *   1. only deterministic projections and filters are in between: others may yield different rows
 *      when they get fewer;
 *   1. the key is a column of the scan, or an integer cast up from one: then a column value that
 *      matches no key does not match one above either;
 *   1. the scan can skip data by that column; see [[ScanColumn]].
 */
private[sparksieve] object PushKeys {

  /** The plan with the keys in its scan; None if they cannot be pushed there. */
  def apply(key: Expression, keys: ScanKeys, plan: SparkPlan, conf: SQLConf): Option[SparkPlan] = {
    def push(key: Expression, child: SparkPlan) = apply(key, keys, child, conf)
    def filterOf(scan: SparkPlan) = scanFilter(key, keys, scan, conf)
    plan match {
      case project: ProjectExec if project.projectList.forall(_.deterministic) =>
        KeyForm
          .below(key, project.projectList)
          .flatMap(push(_, project.child))
          .map(withChild(project, _))
      case filter: FilterExec if filter.condition.deterministic =>
        push(key, filter.child).map(withChild(filter, _))
      case filter: RowFilterExec if filter.predicate.deterministic =>
        push(key, filter.children.head).map(withChild(filter, _))
      case DynamicScanExec(filters, scan) =>
        filterOf(scan).map(f => DynamicScanExec(filters :+ f, scan))
      case scan => filterOf(scan).map(f => DynamicScanExec(Seq(f), scan))
    }
  }

  private def withChild(parent: SparkPlan, child: SparkPlan): SparkPlan =
    parent.withNewChildren(Seq(child))

  private def scanFilter(key: Expression, keys: ScanKeys, scan: SparkPlan, conf: SQLConf) =
    KeyForm
      .column(key)
      // By the scan's own name: the query may write it in another case.
      .flatMap(column => scan.output.find(_.exprId == column.exprId))
      .filter(column => KeyRanges.comparable(column.dataType, keys.keyType))
      .filter(ScanColumn.of(scan, _, conf).nonEmpty)
      .map(ScanFilter(_, keys))
}
