package io.sparksieve.dynamicfilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}

import io.sparksieve.SparkCompat
import io.sparksieve.adaptivefilter.AdaptiveFilterExec

/**
 * Gives each [[DynamicFilterExec]] its keys in the form that it and scans use, and the scan below
 * it the same keys:
 * {{{
 *   DynamicFilter a IN <Spark's subquery>      DynamicFilter a IN keys
 *   +- Project [b AS a]                   =>   +- Project [b AS a]
 *      +- Filter c > 5                            +- Filter c > 5
 *         +- FileScan [b, c]                         +- DynamicScan [b IN keys]
 *                                                       +- FileScan [b, c]
 * }}}
 * A filter whose keys Spark has given up on is taken out. A filter with keys in that form stays as
 * it is, so a second run changes nothing.
 *
 * The scan gets the keys if
 *   1. only deterministic projections and filters are between: others may give other rows when
 *      they get fewer;
 *   1. the key is a column of the scan, or an integer cast up from one: then a value that is no
 *      key of the column is none above either;
 *   1. the scan can skip something by that column; see [[ScanColumn]].
 */
final class PushIntoScan(session: SparkSession) extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
    case filter: DynamicFilterExec if !filter.source.isInstanceOf[DynamicKeys] =>
      KeyOrigin(filter.source, filter.key.dataType, filter.learnedFrom.pinned).fold(filter.child) {
        keys =>
          val below = push(filter.key, keys, filter.child).getOrElse(filter.child)
          filter.copy(source = keys, child = below)
      }
  }

  /** The plan with keys in its scan; None if they cannot get there. */
  private[sparksieve] def push(
      key: Expression,
      keys: ScanKeys,
      plan: SparkPlan): Option[SparkPlan] =
    plan match {
      case project: ProjectExec if project.projectList.forall(_.deterministic) =>
        KeyForm
          .below(key, project.projectList)
          .flatMap(push(_, keys, project.child))
          .map(withChild(project, _))
      case filter: FilterExec if filter.condition.deterministic =>
        push(key, keys, filter.child).map(withChild(filter, _))
      case filter: AdaptiveFilterExec if filter.condition.deterministic =>
        push(key, keys, filter.child).map(withChild(filter, _))
      case filter: DynamicFilterExec => push(key, keys, filter.child).map(withChild(filter, _))
      case DynamicScanExec(filters, scan) =>
        scanFilter(key, keys, scan).map(f => DynamicScanExec(filters :+ f, scan))
      case scan => scanFilter(key, keys, scan).map(f => DynamicScanExec(Seq(f), scan))
    }

  private def withChild(parent: SparkPlan, child: SparkPlan): SparkPlan =
    parent.withNewChildren(Seq(child))

  private def scanFilter(key: Expression, keys: ScanKeys, scan: SparkPlan): Option[ScanFilter] =
    KeyForm
      .column(key)
      .filter(column => scan.output.exists(_.exprId == column.exprId))
      .filter(column => KeyRanges.comparable(column.dataType, keys.keyType))
      .filter(ScanColumn.of(scan, _, SparkCompat.conf(session)).nonEmpty)
      .map(ScanFilter(_, keys))
}
