package io.sparksieve.dynamicfilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}

import io.sparksieve.SparkCompat
import io.sparksieve.adaptivefilter.AdaptiveFilterExec

/**
 * Replaces the source of each [[DynamicFilterExec]] by [[DynamicKeys]], and pushes the same keys
 * into the scan below:
 * {{{
 *   DynamicFilter a IN <Spark's subquery>      DynamicFilter a IN keys
 *   +- Project [b AS a]                   =>   +- Project [b AS a]
 *      +- Filter c > 5                            +- Filter c > 5
 *         +- FileScan [b, c]                         +- DynamicScan [b IN keys]
 *                                                       +- FileScan [b, c]
 * }}}
 * A filter whose subquery Spark has dropped is removed. A filter that already has [[DynamicKeys]]
 * stays unchanged, so the rule is idempotent.
 *
 * The keys are pushed into the scan if
 *   1. only deterministic projections and filters are in between: others may yield different rows
 *      when they get fewer;
 *   1. the key is a column of the scan, or an integer cast up from one: then a column value that
 *      matches no key does not match one above either;
 *   1. the scan can skip data by that column; see [[ScanColumn]].
 */
final class PushIntoScan(session: SparkSession) extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
    case filter: DynamicFilterExec if !filter.source.isInstanceOf[DynamicKeys] =>
      PhysicalKeySource(filter.source, filter.key.dataType, filter.learnedFrom.pinned)
        .fold(filter.child) { keys =>
          val below = push(filter.key, keys, filter.child).getOrElse(filter.child)
          filter.copy(source = keys, child = below)
        }
  }

  /** The plan with the keys in its scan; None if they cannot be pushed there. */
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
